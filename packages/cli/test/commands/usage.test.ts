import { callMain } from "../support/call-main.ts";
import { testFolder } from "../support/folder.ts";

const folder = testFolder();
const log = folder.write("one.log", '{"time":1796000000000,"ip":"10.0.0.1"}');

describe("a command line that is wrong", () => {
  test.each([
    [[], /Usage: aforo/],
    [["replay"], /missing required argument 'files'/],
    [["replay", "x.log"], /aforo: say which policy to try: --limit 100\/minute, or --policy FILE/],
    [["replay", "no-such.log", "--limit", "5/second"], /aforo: no-such.log: no such file/],
    [["replay", "LOG", "--limit", "5 a second"], /aforo: "policies\[0\].limit" must be a rate such as "100\/minute"/],
    [["replay", "LOG", "--limit", "5/second", "--algorithm", "bucket"], /"--algorithm" must be one of/],
    [["replay", "LOG", "--limit", "5/second", "--key", "uid"], /key "uid": "uid" must be ip/],
    [["replay", "LOG", "--limt", "5/second"], /unknown option '--limt'[^]*Did you mean --limit\?/],
    [["replay", "LOG", "--limit", "5/second", "--reorder", "5 fortnights"], /It must be a duration such as/],
    [["replay", "LOG", "--policy", "nowhere.json"], /nowhere.json: no such file/],
    [["simulate", "--limit", "5/second"], /say what traffic to make up: --poisson/],
    [["simulate", "--limit", "5/second", "--poisson", "fast"], /"--poisson" must be like 6\/second/],
    [["inspect", "user:1"], /required option '--policy <file>'/],
  ])("%p says how, and ends with 2", async (args, message) => {
    const { code, stdout, stderr } = await callMain(args.map((arg) => (arg === "LOG" ? log : arg)));
    expect(stderr).toMatch(message);
    expect([code, stdout]).toEqual([2, ""]);
  });
});
