import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { undisturbed } from "../../../packages/testkit/src/undisturbed.ts";

const run = promisify(execFile);

test("two processes deliver at one rate, each in its order, and draw it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "aforo-webhooks-"));
  try {
    // The program ends with 1 when it sees more deliveries in a second than there should be, as after a stall.
    const { stdout } = await undisturbed(250, () =>
      run("node", [join(__dirname, "..", "main.js"), "20"], { cwd: folder }),
    );
    expect(stdout).toContain("deliveries            40");
    expect(stdout).toContain("order in each process kept");
    expect(readFileSync(join(folder, "releases.svg"), "utf8")).toContain("40 webhooks from 2 processes");
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 120_000);
