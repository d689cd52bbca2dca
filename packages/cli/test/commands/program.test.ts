import { gzipSync } from "node:zlib";
import { aforo } from "../support/aforo.ts";
import { testFolder } from "../support/folder.ts";
import { vector } from "../support/poisson.ts";

jest.setTimeout(120_000);

const folder = testFolder();
const START = Date.UTC(2026, 10, 24, 10);
const LOG = vector.arrivalsMs.map((at) => JSON.stringify({ time: START + at, ip: "10.0.0.1" })).join("\n");
const log = folder.write("poisson.log", LOG);

describe("the program", () => {
  test("replays the published experiment: 178, 178, 184, 184", async () => {
    const args = ["replay", log, "--limit", "10/second", "--burst", "20"];
    const algorithms = ["fixed-window", "sliding-window-counter", "token-bucket", "leaky-bucket"];
    const { code, stdout, stderr } = await aforo([...args, ...algorithms.flatMap((name) => ["--algorithm", name])]);
    expect([code, stderr]).toEqual([0, ""]);
    const row = (label: string, admitted: number): RegExp => new RegExp(`^\\d ${label} +${admitted} `, "m");
    expect(stdout).toMatch(row("fixed-window 10/second", 178));
    expect(stdout).toMatch(row("sliding-window-counter 10/second", 178));
    expect(stdout).toMatch(row("token-bucket 10/second burst 20", 184));
    expect(stdout).toMatch(row("leaky-bucket 10/second burst 20", 184));
    // Off a terminal there are neither colours nor lines drawn.
    expect(["\u001B", "─", "│"].filter((sign) => stdout.includes(sign))).toEqual([]);
  });

  test("reads standard input, packed or not, and prints JSON that is all there is", async () => {
    for (const input of [LOG, gzipSync(LOG)]) {
      const { code, stdout, stderr } = await aforo(["replay", "-", "--limit", "10/second", "--json"], { input });
      expect([code, stderr]).toEqual([0, ""]);
      expect(JSON.parse(stdout)).toMatchObject({
        version: 1,
        kind: "replay",
        source: { names: ["-"], requests: 184 },
        scenarios: [{ admitted: 178 }],
      });
    }
  });

  test("takes policies from JSON, and from the module that the application uses", async () => {
    const json = folder.write(
      "policy.json",
      JSON.stringify({ name: "api", policies: [{ name: "second", limit: "10/second" }] }),
    );
    // In this package, where the module finds what it imports.
    const { code, stdout, stderr } = await aforo([
      "replay",
      log,
      "--policy",
      json,
      "--policy",
      "test/support/policy.mjs",
      "--json",
    ]);
    expect([code, stderr]).toEqual([0, ""]);
    const { scenarios } = JSON.parse(stdout) as { scenarios: { label: string; admitted: number }[] };
    expect(scenarios.map(({ label, admitted }) => [label, admitted])).toEqual([
      ["policy", 178],
      ["policy (2)", 174],
    ]);
  });

  test("simulates what it writes as a log, which replays to the same", async () => {
    const file = folder.path("made-up.log");
    const policy = ["--limit", "10/second", "--algorithm", "token-bucket", "--json"];
    const made = await aforo([
      "simulate",
      "--poisson",
      "6/second",
      "--duration",
      "30s",
      "--seed",
      "42",
      "--write-log",
      file,
      ...policy,
    ]);
    const replayed = await aforo(["replay", file, ...policy]);
    const admitted = (stdout: string): unknown =>
      (JSON.parse(stdout) as { scenarios: { admitted: number; requests: number }[] }).scenarios.map((each) => [
        each.admitted,
        each.requests,
      ]);
    expect(admitted(replayed.stdout)).toEqual(admitted(made.stdout));
  });

  test("suggests, and says why", async () => {
    const { code, stdout } = await aforo(["suggest", log, "--window", "1s"]);
    expect(code).toBe(0);
    expect(stdout).toContain("sliding-window-counter 15/second");
    expect(stdout).toContain("The others never need a limit above 14, rounded up to 15.");
    expect(stdout).toContain("Replayed: 0 legitimate callers (0 %) rejected some time");
  });

  test("shows bad lines with file, number and reason, and goes on", async () => {
    const file = folder.write("bad.log", `${LOG.split("\n")[0]}\nnonsense\n`);
    const { code, stdout } = await aforo(["replay", file, "--limit", "10/second"]);
    expect(code).toBe(0);
    expect(stdout).toContain("1 line of 2 could not be read:");
    expect(stdout).toContain(`${file}:2: no JSON object: nonsense`);
  });

  test("helps, with examples and exit codes", async () => {
    const [all, replay] = await Promise.all([aforo(["--help"]), aforo(["replay", "--help"])]);
    expect([all.code, replay.code]).toEqual([0, 0]);
    expect(all.stdout).toContain("Exit codes: 0 done; 1 it could not be done");
    for (const command of ["replay", "suggest", "simulate", "inspect", "reset", "block"])
      expect(all.stdout).toContain(`  ${command}`);
    expect(replay.stdout).toContain("Examples:\n  aforo replay access.log --limit 100/minute");
  });

  test("ends with 2 when the command line is wrong", async () => {
    const { code, stdout, stderr } = await aforo(["replay", log]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toBe("aforo: say which policy to try: --limit 100/minute, or --policy FILE\n");
  });

  test("a policy file that is wrong says where", async () => {
    const broken = folder.write("broken.json", '{\n  "limit": "5/second",\n}');
    const misspelt = folder.write("misspelt.json", '{ "limti": "5/second" }');
    const [first, second] = await Promise.all([
      aforo(["replay", log, "--policy", broken]),
      aforo(["replay", log, "--policy", misspelt]),
    ]);
    expect([first.code, second.code]).toEqual([2, 2]);
    expect(first.stderr).toMatch(/broken.json:3:1: no JSON: /);
    expect(second.stderr).toMatch(/misspelt.json: .*no option "limti"; did you mean "limit"\?/);
  });

  test("a damaged file ends with 1, and says after which line", async () => {
    const packed = gzipSync(Array.from({ length: 20 }, () => LOG).join("\n"), { level: 0 });
    const file = folder.write("cut.gz", packed.subarray(0, packed.length / 2));
    const { code, stderr } = await aforo(["replay", file, "--limit", "10/second"]);
    expect(stderr).toMatch(
      /^aforo: .*cut.gz: the gzip data is damaged or ends too early \(unexpected end of file\), after line \d+\n$/,
    );
    expect(code).toBe(1);
  });

  test("a report that cannot be written ends with 1", async () => {
    const { code, stderr } = await aforo([
      "replay",
      log,
      "--limit",
      "10/second",
      "--html",
      "/no/such/folder/report.html",
    ]);
    expect(stderr).toMatch(/^aforo: --html \/no\/such\/folder\/report.html: ENOENT/);
    expect(code).toBe(1);
  });
});
