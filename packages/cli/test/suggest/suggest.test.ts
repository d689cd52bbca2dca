import fc from "fast-check";
import { KeySpecs, limiterSpelling } from "../../src/callers/key-specs.ts";
import type { KeySpec } from "../../src/callers/key-spec.ts";
import { StoreJudge } from "../../src/judge/store-judge.ts";
import { parseClasses } from "../../src/policy/request-class.ts";
import { Demand, RATES } from "../../src/suggest/demand.ts";
import { suggest, type SuggestOptions, type Suggestion } from "../../src/suggest/suggest.ts";
import { testFolder } from "../support/folder.ts";

jest.setTimeout(60_000);

const folder = testFolder();
const MINUTE = 60_000;
const START = 29_933_333 * MINUTE;

interface Asked {
  readonly at: number;
  readonly ip: string;
  readonly status?: number;
  readonly path?: string;
}

function suggestFor(
  requests: readonly Asked[],
  options: Partial<SuggestOptions> & { readonly classTexts?: readonly string[] } = {},
): Promise<Suggestion> {
  const lines = requests.map(({ at, ip, status = 200, path = "/" }) =>
    JSON.stringify({ time: START + at, ip, status, path, method: "GET" }),
  );
  const file = folder.write("log.jsonl", lines.join("\n"));
  const keys = new KeySpecs(limiterSpelling());
  return suggest({
    log: { files: [file], format: {}, wanted: undefined, reorderMs: 0, spread: false, onRead: () => {} },
    key: keys.specs[keys.indexOf("ip")] as KeySpec,
    classes: parseClasses(options.classTexts ?? []),
    share: 0.001,
    window: MINUTE,
    everybody: false,
    check: true,
    ...options,
  });
}

/** So many callers, of whom the n-th asks for n requests at once. */
function crowd(callers: number): Asked[] {
  return Array.from({ length: callers }, (_, n) =>
    Array.from({ length: n + 1 }, () => ({ at: 0, ip: `10.0.${n >> 8}.${n & 255}` })),
  ).flat();
}

describe("a suggestion", () => {
  test("rejects at most the share of callers that it may, and says so by replaying the log", async () => {
    const { classes } = await suggestFor(crowd(200), { share: 0.05 });
    const [counter, bucket] = classes[0]?.proposals ?? [];
    expect(classes[0]).toMatchObject({ callers: 200, mayReject: 10, leftOut: 0, requests: 20_100 });
    // All but the ten busiest ask for at most 190 in a minute.
    expect(counter).toMatchObject({ algorithm: "sliding-window-counter", needed: 190, limit: 200 });
    expect(counter?.check).toMatchObject({ callersRejected: 0, rejected: 0 });
    expect(bucket).toMatchObject({ algorithm: "token-bucket", needed: 190, limit: 20, burst: 200 });
    const strict = await suggestFor(crowd(200), { share: 0.5 });
    expect(strict.classes[0]?.proposals[0]).toMatchObject({
      needed: 100,
      limit: 100,
      check: { callersRejected: 100, rejected: 5_050 },
    });
  });

  test("of few callers is what the busiest needs", async () => {
    const { classes } = await suggestFor(crowd(7));
    expect(classes[0]).toMatchObject({ mayReject: 0, spread: { median: 4, max: 7 } });
    expect(classes[0]?.proposals[0]).toMatchObject({ needed: 7, limit: 8, check: { callersRejected: 0 } });
  });

  test("leaves out those whose requests mostly fail, but not those who were limited already", async () => {
    const scanner = Array.from({ length: 500 }, () => ({ at: 0, ip: "192.0.2.1", status: 404 }));
    const limited = Array.from({ length: 50 }, () => ({ at: 0, ip: "192.0.2.2", status: 429 }));
    const few = Array.from({ length: 10 }, () => ({ at: 0, ip: "192.0.2.3", status: 401 }));
    const requests = [...crowd(5), ...scanner, ...limited, ...few];
    const { classes } = await suggestFor(requests);
    expect(classes[0]).toMatchObject({ callers: 7, leftOut: 1, spread: { max: 50 } });
    expect(classes[0]?.proposals[0]?.check).toMatchObject({ leftOutRequests: 500, leftOutRejected: 450 });
    const everybody = await suggestFor(requests, { everybody: true });
    expect(everybody.classes[0]).toMatchObject({ callers: 8, leftOut: 0, spread: { max: 500 } });
  });

  test("is made for each class by itself", async () => {
    const logins = Array.from({ length: 3 }, () => ({ at: 0, ip: "10.0.0.0", path: "/login" }));
    const { classes } = await suggestFor([...logins, ...crowd(12)], { classTexts: ["login=/login", "never=/never"] });
    expect(
      classes.map(({ name, requests, callers, proposals }) => [name, requests, callers, proposals[0]?.needed]),
    ).toEqual([
      ["login", 3, 1, 3],
      ["other", 78, 12, 12],
    ]);
  });

  test("without a second reading has no check", async () => {
    const { classes } = await suggestFor(crowd(3), { check: false });
    expect(classes[0]?.proposals.map(({ check }) => check)).toEqual([null, null]);
  });

  test("property: what a caller is said to need is the least under which it is never rejected", () => {
    const gaps = fc.array(fc.oneof(fc.nat(2_000), fc.nat(90_000)), { minLength: 1, maxLength: 60, size: "max" });
    fc.assert(
      fc.property(gaps, fc.integer({ min: 0, max: RATES.length - 1 }), (steps, rate) => {
        const demand = new Demand(MINUTE);
        let at = START;
        const times = steps.map((step) => (at += step));
        for (const time of times) demand.add(time, 0);
        const isNeverRejected = (policy: {
          readonly algorithm: "sliding-window-counter" | "token-bucket";
          readonly limit: number;
          readonly burst?: number;
        }): boolean => {
          const judge = new StoreJudge([{ policy: { name: "p", window: MINUTE, ...policy }, key: 0 }]);
          return times.every((time) => judge.decide({ time, cost: 1, callers: Int32Array.of(0), view: undefined }));
        };
        const limit = demand.limitFor(0);
        expect(isNeverRejected({ algorithm: "sliding-window-counter", limit })).toBe(true);
        expect(isNeverRejected({ algorithm: "sliding-window-counter", limit: limit - 1 })).toBe(false);
        const burst = demand.burstFor(0, rate);
        const bucket = { algorithm: "token-bucket", limit: RATES[rate] as number } as const;
        expect(isNeverRejected({ ...bucket, burst })).toBe(true);
        if (burst > 1) expect(isNeverRejected({ ...bucket, burst: burst - 1 })).toBe(false);
      }),
      { numRuns: 60 },
    );
  });
});
