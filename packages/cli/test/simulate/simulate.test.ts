import { KeySpecs, limiterSpelling } from "../../src/callers/key-specs.ts";
import type { Report } from "../../src/report/report.ts";
import { flaggedScenario } from "../../src/replay/scenarios.ts";
import { policiesOf } from "../../src/policy/policy-flags.ts";
import { TRAFFIC } from "../../src/simulate/parse-traffic.ts";
import { Random } from "../../src/simulate/random.ts";
import { simulate } from "../../src/simulate/simulate.ts";
import { vector } from "../support/poisson.ts";

jest.setTimeout(60_000);

interface Setup {
  readonly traffic: readonly (readonly [kind: string, text: string])[];
  readonly limit: string;
  readonly algorithm?: string;
  readonly burst?: number;
  readonly key?: string;
  readonly seed?: number;
  readonly durationMs?: number;
  readonly onRequest?: (time: number) => void;
}

function run({
  traffic,
  limit,
  algorithm = "all",
  burst,
  key = "ip",
  seed = 1,
  durationMs = 30_000,
  onRequest,
}: Setup): Promise<Report> {
  const keys = new KeySpecs(limiterSpelling());
  const policies = policiesOf({ limit: [limit], algorithm: [algorithm], burst, delayAfter: undefined });
  const scenarios = policies.map((policy) => flaggedScenario(policy, key, keys));
  return simulate({
    traffic: traffic.map(([kind, text]) => (TRAFFIC[kind] as (typeof TRAFFIC)[string]).parse(text)),
    scenarios,
    keys: keys.specs,
    reportBy: keys.indexOf("ip"),
    durationMs,
    seed,
    ...(onRequest === undefined ? {} : { onRequest }),
  });
}

describe("made-up traffic", () => {
  test("with seed 42 is the published experiment, to the millisecond", async () => {
    const times: number[] = [];
    const { scenarios } = await run({
      traffic: [["poisson", "6/second"]],
      limit: "10/second",
      burst: 20,
      seed: 42,
      onRequest: (time) => times.push(time - Date.UTC(2026, 0, 1)),
    });
    expect(times).toEqual(vector.arrivalsMs);
    expect(scenarios.map(({ admitted }) => admitted)).toEqual([178, 174, 178, 184, 184, 184]);
  });

  test("is the same for the same seed, and another for another", async () => {
    const setup = {
      traffic: [
        ["botnet", "50@1/second"],
        ["office", "5@6/minute"],
        ["on-off", "3@20/second:1s:2s"],
      ],
      limit: "5/second",
    } as const;
    const [one, again, other] = await Promise.all([run(setup), run(setup), run({ ...setup, seed: 2 })]);
    expect(again).toEqual(one);
    expect(other?.scenarios[0]?.requests).not.toBe(one?.scenarios[0]?.requests);
  });

  test("of a retry storm grows with every rejection; clients that wait make far less of it", async () => {
    const storm = await run({
      traffic: [["retry-storm", "20@1/second"]],
      limit: "10/second",
      algorithm: "token-bucket",
      key: "all",
    });
    const patient = await run({
      traffic: [["patient-clients", "20@1/second"]],
      limit: "10/second",
      algorithm: "token-bucket",
      key: "all",
    });
    const [loud, quiet] = [storm.scenarios[0], patient.scenarios[0]];
    expect(loud?.admitted).toBeLessThanOrEqual(31 * 10);
    expect(quiet?.admitted).toBeGreaterThan(0.9 * (loud?.admitted ?? 0));
    // Without backoff each rejected request comes back up to 29 times.
    expect(loud?.rejected).toBeGreaterThan(4_000);
    expect(quiet?.rejected).toBeLessThan(600);
  });

  test("of a botnet stays below a limit by address; an office of the same size does not", async () => {
    const { scenarios } = await run({
      traffic: [
        ["botnet", "500@6/minute"],
        ["office", "20@6/minute"],
      ],
      limit: "60/minute",
      algorithm: "fixed-window",
    });
    const [bots, people] = scenarios[0]?.traffic ?? [];
    expect(bots?.requests).toBe(bots?.admitted);
    expect(people?.admitted).toBeLessThan((people?.requests ?? 0) / 4);
    expect(scenarios[0]?.callersRejected).toBe(1);
    const byUser = await run({
      traffic: [["office", "20@6/minute"]],
      limit: "60/minute",
      algorithm: "fixed-window",
      key: "user",
    });
    expect(byUser.scenarios[0]?.admitted).toBeGreaterThan(2 * (people?.admitted ?? Infinity));
  });

  test("of bursts is silent in between", async () => {
    const times: number[] = [];
    await run({
      traffic: [["on-off", "50/second:1s:4s"]],
      limit: "1/second",
      algorithm: "gcra",
      onRequest: (time) => times.push(time % 5_000),
    });
    expect(times.length).toBeGreaterThan(200);
    expect(Math.max(...times)).toBeLessThan(1_000);
  });

  test("has the randomness of Python's random.seed(42)", () => {
    const random = new Random(42);
    expect([random.next(), random.next()]).toEqual([0.6394267984578837, 0.025010755222666936]);
  });

  test.each([
    ["poisson", "6"],
    ["poisson", "x@6/second"],
    ["poisson", "0/second"],
    ["poisson", "0@6/second"],
    ["botnet", "5@6/fortnight"],
    ["on-off", "5/second"],
    ["on-off", "5/second:0:1s"],
  ])("%s %s is refused with an example", (kind, text) => {
    expect(() => (TRAFFIC[kind] as (typeof TRAFFIC)[string]).parse(text)).toThrow(/must be like/);
  });
});
