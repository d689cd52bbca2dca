import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

test("the client meets far fewer 429s than plain backoff, and prints the comparison", async () => {
  const { stdout } = await run("node", [join(__dirname, "..", "main.js"), "--seconds", "8", "--algorithm", "gcra"]);
  const fewer = /^429s: (\d+\.\d) % fewer with the client$/m.exec(stdout);
  expect(Number(fewer?.[1])).toBeGreaterThan(60);
  expect(stdout).toMatch(/^@aforo\/client +\d+ +\d+ +\d+ +\d+ +\d+\.\d %$/m);
}, 60_000);

test("a duration that is none is refused", async () => {
  await expect(run("node", [join(__dirname, "..", "main.js"), "--seconds", "soon"])).rejects.toThrow(
    /--seconds must be/,
  );
});
