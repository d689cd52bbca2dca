import { callMain } from "../support/call-main.ts";
import { testFolder } from "../support/folder.ts";

jest.setTimeout(60_000);

const folder = testFolder();
const log = folder.write(
  "log.jsonl",
  Array.from({ length: 50 }, (_, i) => JSON.stringify({ time: 1_796_000_000_000 + i, ip: "10.0.0.1" })).join("\n"),
);
const args = ["replay", log, "--limit", "10/second"];

describe("on a terminal", () => {
  test("there are colours and a progress bar", async () => {
    const { stdout, stderr } = await callMain(args, true);
    expect(stdout).toContain("\u001B[");
    expect(stderr).toContain(" % of ");
  });

  test("NO_COLOR and a dumb terminal are respected, and the bar can be left out", async () => {
    expect((await callMain(args, true, { NO_COLOR: "1" })).stdout).not.toContain("\u001B[");
    const dumb = await callMain(args, true, { TERM: "dumb" });
    expect(dumb.stdout + dumb.stderr).not.toContain("\u001B[");
    expect((await callMain([...args, "--no-progress"], true)).stderr).toBe("");
  });

  test("elsewhere there is neither, and the numbers are the same", async () => {
    const plain = await callMain(args);
    expect(plain.stderr).toBe("");
    // oxlint-disable-next-line no-control-regex
    expect((await callMain(args, true)).stdout.replaceAll(/\u001B\[\d+m/g, "")).toBe(plain.stdout);
  });
});
