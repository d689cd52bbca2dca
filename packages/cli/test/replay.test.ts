import { gzipSync } from "node:zlib";
import { KeySpecs, limiterSpelling } from "../src/callers/key-specs.ts";
import type { LogOptions } from "../src/log/read-log.ts";
import { parseCost } from "../src/policy/cost.ts";
import { policiesOf } from "../src/policy/policy-flags.ts";
import { parseClasses } from "../src/policy/request-class.ts";
import { replay } from "../src/replay/replay.ts";
import { flaggedScenario } from "../src/replay/scenarios.ts";
import type { Report } from "../src/report/report.ts";
import { testFolder } from "./support/folder.ts";
import { vector } from "./support/poisson.ts";

jest.setTimeout(60_000);

const folder = testFolder();
const START = Date.UTC(2026, 10, 24, 10);

interface Setup extends Partial<LogOptions> {
  readonly files: readonly string[];
  readonly limit?: string;
  readonly algorithm?: string;
  readonly burst?: number;
  readonly cost?: string;
  readonly classes?: readonly string[];
  readonly key?: string;
}

function run({
  limit = "10/second",
  algorithm = "all",
  burst = 20,
  cost = "1",
  classes = [],
  key = "ip",
  ...log
}: Setup): Promise<Report> {
  const keys = new KeySpecs(limiterSpelling());
  const policies = policiesOf({
    limit: [limit],
    algorithm: [algorithm],
    burst: algorithm === "all" ? burst : undefined,
    delayAfter: undefined,
  });
  return replay({
    log: { format: {}, wanted: undefined, reorderMs: 5_000, spread: false, onRead: () => {}, ...log },
    scenarios: policies.map((policy) => flaggedScenario(policy, key, keys)),
    keys: keys.specs,
    reportBy: 0,
    cost: parseCost(cost, parseClasses(classes)),
  });
}

const json = (times: readonly number[], ip = "10.0.0.1"): string =>
  times.map((at) => JSON.stringify({ time: START + at, ip, path: "/x" })).join("\n");

function common(at: number): string {
  const date = new Date(START + at);
  const [, day, month, year, clock] = /^\w+, (\d+) (\w+) (\d+) ([\d:]+)/.exec(date.toUTCString()) as string[];
  return `10.0.0.1 - - [${day}/${month}/${year}:${clock}.${String(date.getUTCMilliseconds()).padStart(3, "0")} +0000] "GET / HTTP/1.1" 200 5 "-" "-"`;
}

describe("the Poisson experiment given as a log", () => {
  const admitted = (report: Report): number[] => report.scenarios.map((each) => each.admitted);
  const expected = [178, 174, 178, 184, 184, 184];
  const logs: Readonly<Record<string, () => string | Buffer>> = {
    "json.log": () => json(vector.arrivalsMs),
    "csv.log": () =>
      `timestamp,client_ip\n${vector.arrivalsMs.map((at) => `${new Date(START + at).toISOString()},10.0.0.1`).join("\n")}\n`,
    "combined.log": () => vector.arrivalsMs.map(common).join("\n"),
    "packed.log": () => gzipSync(vector.arrivalsMs.map(common).join("\n")),
  };

  test.each(Object.keys(logs))("%s: fixed 178, counter 178, token 184, leaky 184", async (name) => {
    const report = await run({ files: [folder.write(name, logs[name]?.() ?? "")] });
    expect(admitted(report)).toEqual(expected);
    expect(report.source).toMatchObject({
      requests: 184,
      callers: 1,
      from: START + 170,
      to: START + 29_976,
      log: { badLines: 0, lines: name.startsWith("csv") ? 185 : 184, wholeSeconds: false },
    });
  });

  test("the leaky bucket holds requests back, so that the backend feels its rate", async () => {
    const { scenarios } = await run({ files: [folder.write("leaky.log", json(vector.arrivalsMs))] });
    const [token, leaky] = [scenarios[3], scenarios[5]];
    expect(token?.peakPerSecond.requests).toBeGreaterThan(10);
    expect(leaky?.peakPerSecond.requests).toBe(10);
    expect(leaky?.delayed).toBeGreaterThan(0);
  });

  test("split over two servers' logs, and rotated into parts named in any order, it is the same", async () => {
    const { arrivalsMs: all } = vector;
    const server = (which: number): string =>
      folder.write(`server-${which}.log`, json(all.filter((_, index) => index % 2 === which)));
    expect(admitted(await run({ files: [server(1), server(0)] }))).toEqual(expected);
    const part = (from: number, to: number): string => folder.write(`part-${from}.log`, json(all.slice(from, to)));
    expect(admitted(await run({ files: [part(120, 184), part(0, 50), part(50, 120)] }))).toEqual(expected);
  });

  test("with lines that come up to five seconds late it is the same", async () => {
    const late = [...vector.arrivalsMs].sort((a, b) => a + ((a * 7_919) % 4_900) - (b + ((b * 7_919) % 4_900)));
    const report = await run({ files: [folder.write("late.log", json(late))] });
    expect(admitted(report)).toEqual(expected);
    expect(report.source.log).toMatchObject({ late: 0 });
    expect(report.source.log?.outOfOrder).toBeGreaterThan(50);
  });
});

describe("a replay", () => {
  test("counts lines that cannot be read, shows the first few with their numbers, and goes on", async () => {
    const bad = ["nonsense", "{", '{"time":"no"}', "[]", "7", "more", "and more\u001B[31m"];
    const report = await run({ files: [folder.write("bad.log", [json([0, 100]), ...bad, json([200])].join("\n"))] });
    expect(report.source).toMatchObject({ requests: 3, log: { lines: 10, badLines: 7 } });
    expect(report.source.log?.firstBadLines.map(({ line, reason }) => [line, reason.slice(0, 17)])).toEqual([
      [3, "no JSON object"],
      [4, "no JSON object"],
      [5, 'the time "no" is '],
      [6, "no JSON object"],
      [7, "no JSON object"],
    ]);
  });

  test("charges what classes and fields say", async () => {
    const rows = ["/search", "/export", "/", "/search"].map((path, index) =>
      JSON.stringify({ time: START + index, ip: "1.1.1.1", path, units: index }),
    );
    const files = [folder.write("cost.log", rows.join("\n"))];
    const fixed = { files, limit: "10/second", algorithm: "fixed-window" };
    const byClass = await run({ ...fixed, classes: ["search:4=/search", "export:2=/export"] });
    expect(byClass.scenarios[0]).toMatchObject({ admitted: 3, asked: { max: 11 }, got: { max: 7 } });
    expect((await run({ ...fixed, cost: "field:units" })).scenarios[0]?.asked.max).toBe(6);
    expect((await run({ ...fixed, cost: "3" })).scenarios[0]).toMatchObject({ admitted: 3, asked: { max: 12 } });
  });

  test("finds the burst at the edge of a fixed window, and who had it", async () => {
    const edge = [...Array.from({ length: 10 }, (_, i) => 900 + i), ...Array.from({ length: 12 }, (_, i) => 1_000 + i)];
    const lines = `${json(edge, "10.0.0.7")}\n${json([1_050], "10.0.0.8")}`;
    const { scenarios } = await run({ files: [folder.write("edge.log", lines)] });
    const [fixed, log] = scenarios;
    expect(fixed).toMatchObject({
      admitted: 21,
      callersRejected: 1,
      aboveLimit: { callers: 1, most: 20, caller: "10.0.0.7" },
      longestStreak: { length: 2, caller: "10.0.0.7" },
    });
    expect(log).toMatchObject({ aboveLimit: null, got: { max: 10 } });
    expect(fixed?.heaviest.map(({ caller, requests, rejected }) => [caller, requests, rejected])).toEqual([
      ["10.0.0.7", 22, 2],
      ["10.0.0.8", 1, 0],
    ]);
    expect(fixed?.mostRejected.map(({ caller }) => caller)).toEqual(["10.0.0.7"]);
  });

  test("of nothing at all is a report of nothing", async () => {
    const report = await run({ files: [folder.write("empty.log", ""), folder.write("empty.gz", gzipSync(""))] });
    expect(report.source).toMatchObject({
      requests: 0,
      callers: 0,
      from: 0,
      to: 0,
      log: { lines: 0, wholeSeconds: false },
    });
    expect(report.scenarios[0]).toMatchObject({ admitted: 0, callers: 0, longestStreak: null, aboveLimit: null });
  });

  test("tells when stamps are whole seconds, and can spread them", async () => {
    const files = [folder.write("seconds.log", json(Array.from({ length: 40 }, (_, i) => Math.floor(i / 20) * 1_000)))];
    const together = await run({ files, algorithm: "sliding-window-log", limit: "4/200ms" });
    const spread = await run({ files, algorithm: "sliding-window-log", limit: "4/200ms", spread: true });
    expect(together.source.log?.wholeSeconds).toBe(true);
    expect(together.scenarios[0]?.rejected).toBe(32);
    expect(spread.scenarios[0]?.rejected).toBe(0);
  });
});
