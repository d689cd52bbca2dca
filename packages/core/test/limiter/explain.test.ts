import fc from "fast-check";
import { ALGORITHMS, type AlgorithmName } from "../../src/domain/algorithm-name.ts";
import type { Decision } from "../../src/domain/decision.ts";
import type { Policy } from "../../src/domain/policy.ts";
import type { SyncStore } from "../../src/domain/store.ts";
import { createLimiter } from "../../src/limiter/create-limiter.ts";
import type { Limiter } from "../../src/limiter/limiter.ts";
import { CASE_EPOCH, manualClock, type ManualClock } from "../../src/testing/manual-clock.ts";
import { promisedStore } from "../support/promised-store.ts";
import { referenceStore } from "../../src/testing/reference-store.ts";

interface Scene {
  readonly clock: ManualClock;
  readonly store: SyncStore;
  readonly limiter: Limiter<true>;
}

function sceneOf(...policies: readonly Policy[]): Scene {
  const clock = manualClock();
  const store = referenceStore(clock);
  return { clock, store, limiter: createLimiter({ store, policies: policies as never }) };
}

/** Ten units a minute, of which 4 were used 70 s and 6 were used 15 s before. */
function used(algorithm: AlgorithmName): Scene {
  const scene = sceneOf({ name: "p", algorithm, limit: "10/minute" });
  scene.limiter.consume("k", 4);
  scene.clock.advance(65_000);
  scene.limiter.consume("k", 6);
  scene.clock.advance(15_000);
  return scene;
}

const QUOTA = `policy "p" (10 per 1 minute,`;

describe("decision.explain says what decided", () => {
  test.each<[AlgorithmName, string]>([
    [
      "fixed-window",
      `${QUOTA} fixed-window) has 4 of 10 left and the request costs 9; its window ends in 40 seconds. The same request would be admitted in 40 seconds, at 2023-11-14T00:02:00Z.`,
    ],
    [
      "sliding-window-log",
      `${QUOTA} sliding-window-log) has 4 of 10 left and the request costs 9; each request counts for 1 minute. The same request would be admitted in 45 seconds, at 2023-11-14T00:02:05Z.`,
    ],
    [
      "sliding-window-counter",
      `${QUOTA} sliding-window-counter) has 2 of 10 left and the request costs 9; of the window before, 66.7 % still counts. The same request would be admitted in 80.001 seconds, at 2023-11-14T00:02:41Z.`,
    ],
    [
      "token-bucket",
      `${QUOTA} token-bucket) has 6 of 10 left and the request costs 9. The same request would be admitted in 15 seconds, at 2023-11-14T00:01:35Z.`,
    ],
    [
      "gcra",
      `${QUOTA} gcra) has 6 of 10 left and the request costs 9. The same request would be admitted in 15 seconds, at 2023-11-14T00:01:35Z.`,
    ],
    [
      "leaky-bucket",
      `${QUOTA} leaky-bucket) has 6 of 10 left and the request costs 9. The same request would be admitted in 15 seconds, at 2023-11-14T00:01:35Z.`,
    ],
  ])("%s", (algorithm, sentence) => {
    expect(used(algorithm).limiter.consume("k", 9).explain()).toBe(`Rejected: ${sentence}`);
  });

  test("admissions too, with the delay of a leaky bucket", () => {
    const { limiter } = sceneOf({ name: "p", algorithm: "leaky-bucket", limit: "10/minute" });
    limiter.consume("k", 3);
    expect(limiter.consume("k", 2).explain()).toBe(
      `Admitted: ${QUOTA} leaky-bucket) has 5 of 10 left after a cost of 2, and all of it in 30 seconds. It waits 18 seconds for what stands ahead of it in policy "p".`,
    );
  });

  test("costs that are never admitted, blocks, and who else denies", () => {
    const { clock, limiter } = sceneOf(
      { name: "p", algorithm: "fixed-window", limit: "10/minute" },
      { name: "hour", algorithm: "fixed-window", limit: "12/hour" },
    );
    expect(limiter.consume("k", 11).explain()).toBe(
      `Rejected: a cost of 11 can never be admitted by ${QUOTA} fixed-window), whose capacity is 10.`,
    );
    limiter.consume("k", 10);
    expect(limiter.consume("k", 3).explain()).toContain(`its window ends in 1 hour; denied by "p" too. The same`);
    limiter.block({ p: "k", hour: null }, 90_000);
    expect(limiter.consume({ p: "k", hour: null }).explain()).toBe(
      `Rejected: the key is blocked for another 90 seconds, until 2023-11-14T00:01:30Z, whatever is left of ${QUOTA} fixed-window).`,
    );
    // The quota of the hour keeps the caller out for longer than the block does.
    expect(limiter.consume("k", 3).explain()).toContain(
      `denied by "hour" too. The same request would be admitted in 1 hour, at 2023-11-14T01:00:00Z.`,
    );
    clock.advance(89_001);
    expect(limiter.consume({ p: "k", hour: null }).explain()).toContain(
      "for another 999 ms, until 2023-11-14T00:01:30Z",
    );
  });

  test.each<[AlgorithmName]>([["token-bucket"], ["gcra"], ["leaky-bucket"]])("the debt of a %s", (algorithm) => {
    const { limiter } = sceneOf({ name: "p", algorithm, limit: "10/minute" });
    limiter.charge("k", 17);
    expect(limiter.consume("k").explain()).toBe(
      `Rejected: ${QUOTA} ${algorithm}) has 0 of 10 left and the request costs 1; it was charged some 7 beyond its capacity, which have to be repaid first. The same request would be admitted in 48 seconds, at 2023-11-14T00:00:48Z.`,
    );
  });

  test("shadows that disagree, and only those", () => {
    const { limiter } = sceneOf(
      { name: "live", limit: "2/minute" },
      { name: "stricter", limit: "1/minute", mode: "shadow" },
      { name: "looser", limit: "3/minute", mode: "shadow" },
    );
    expect(limiter.consume("k").explain()).not.toContain("Shadow");
    const stricter = `Shadow policy "stricter" (1 per 1 minute, sliding-window-counter) would have rejected it.`;
    expect(limiter.consume("k").explain().endsWith(stricter)).toBe(true);
    const looser = `Shadow policy "looser" (3 per 1 minute, sliding-window-counter) would have admitted it.`;
    expect(limiter.consume("k").explain().endsWith(looser)).toBe(true);
  });

  test("no share of a window when the store's clock has stepped back into the one before", () => {
    const { clock, limiter } = sceneOf({ name: "p", limit: "10/minute" });
    clock.advance(61_000);
    limiter.consume("k", 10);
    clock.set(CASE_EPOCH + 59_000);
    expect(limiter.consume("k").explain()).not.toContain("still counts");
  });
});

describe("limiter.explain shows the state", () => {
  test.each<[AlgorithmName, string]>([
    ["fixed-window", "6 used in the window that began 20 seconds ago, so 4 of 10 left; all of it in 40 seconds."],
    [
      "sliding-window-log",
      "6 used by 1 logged request, the newest 15 seconds ago, so 4 of 10 left; all of it in 45 seconds.",
    ],
    [
      "sliding-window-counter",
      "8 count: 6 of the window that began 20 seconds ago and 2 of the 4 before it, of which 66.7 % still counts, so 2 of 10 left; all of it in 90.001 seconds.",
    ],
    [
      "token-bucket",
      "3.5 of 10 tokens are used and refill at 10 per 1 minute, so 6 of 10 left; all of it in 21 seconds.",
    ],
    ["gcra", "3.5 of 10 tokens are used and refill at 10 per 1 minute, so 6 of 10 left; all of it in 21 seconds."],
    [
      "leaky-bucket",
      "3.5 stand in the bucket of 10 and drain at 10 per 1 minute, so 6 of 10 left; all of it in 21 seconds.",
    ],
  ])("of %s", (algorithm, sentence) => {
    expect(used(algorithm).limiter.explain("k")).toBe(`Policy "p" (10 per 1 minute, ${algorithm}): ${sentence}`);
  });

  test.each<[AlgorithmName, number]>([
    ["fixed-window", 7],
    ["sliding-window-counter", 7],
    ["sliding-window-log", 7],
    ["token-bucket", 7],
    ["gcra", 7],
    ["leaky-bucket", 7],
  ])("of %s in debt", (algorithm, debt) => {
    const { limiter } = sceneOf({ name: "p", algorithm, limit: "10/minute" });
    limiter.charge("k", 17);
    expect(limiter.explain("k")).toContain(`so 0 of 10 left, ${debt} more than it admits; all of it in`);
  });

  test("with the block over it, and what the quota would be without", () => {
    const { limiter } = sceneOf({ name: "p", algorithm: "fixed-window", limit: "10/minute" });
    limiter.consume("k", 3);
    limiter.block("k", 3_600_000);
    limiter.block("new", 90_000);
    const block = (lasting: string, until: string): string =>
      `The key is blocked for another ${lasting}, until ${until}: nothing is admitted before.`;
    expect(limiter.explain("k")).toBe(
      `Policy "p" (10 per 1 minute, fixed-window): 3 used in the window that began 0 ms ago, so 7 of 10 left; all of it when the block ends. ${block("1 hour", "2023-11-14T01:00:00Z")}`,
    );
    expect(limiter.explain("new")).toBe(
      `Policy "p" (10 per 1 minute, fixed-window): nothing is used; all 10 would be left. ${block("90 seconds", "2023-11-14T00:01:30Z")}`,
    );
  });

  test("of several policies on a line each, shadows and such as admit nothing among them", () => {
    const { limiter } = sceneOf({ name: "none", limit: "0/minute" }, { name: "s", limit: "5/minute", mode: "shadow" });
    expect(limiter.explain("k").split("\n")).toEqual([
      `Policy "none" (0 per 1 minute, sliding-window-counter): admits nothing.`,
      `Shadow policy "s" (5 per 1 minute, sliding-window-counter): nothing is used; all 5 are left.`,
    ]);
  });

  test("of this process while the store does not answer, or says that nothing is known", async () => {
    const store = promisedStore(referenceStore(manualClock()));
    const policies = [
      { name: "p", limit: "10/minute" },
      { name: "q", limit: "10/minute", onStoreError: "allow" as const },
    ];
    const limiter = createLimiter({ name: "api", store, policies, instances: 2 });
    store.fault = "reject";
    await limiter.consume("k", 2);
    const [intro, line, ...rest] = (await limiter.explain("k")).split("\n");
    expect(intro).toBe(`The store of limiter "api" does not answer, so this process counts alone:`);
    expect(line).toMatch(/^Policy "p" \(5 per 1 minute, sliding-window-counter\): 2 count: .* so 3 of 5 left;/);
    expect(rest).toEqual([]);
    expect(await limiter.explain({ p: null, q: "k" })).toContain("so nothing is known of this key right now");
    await limiter.close();
  });
});

describe.each(ALGORITHMS)("an explanation of %s", (algorithm) => {
  const happenings = fc.array(
    fc.record({
      kind: fc.constantFrom("consume", "consume", "consume", "charge", "block"),
      wait: fc.oneof(fc.nat({ max: 3_000 }), fc.nat({ max: 90_000 })),
      cost: fc.integer({ min: 1, max: 9 }),
    }),
    { minLength: 1, maxLength: 15 },
  );

  function play(each: readonly { kind: string; wait: number; cost: number }[]): Scene & { last: Decision } {
    const scene = sceneOf({ name: "p", algorithm, limit: "10/minute" });
    let last: Decision | undefined;
    for (const { kind, wait, cost } of each) {
      scene.clock.advance(wait);
      if (kind === "charge") scene.limiter.charge("k", 2 * cost);
      else if (kind === "block") scene.limiter.block("k", cost * 1_000);
      last = scene.limiter.consume("k", cost);
    }
    return { ...scene, last: last as Decision };
  }

  test("property: promises a moment at which the request is admitted, and not a millisecond before", () => {
    fc.assert(
      fc.property(happenings, (each) => {
        const { clock, limiter, last } = play(each);
        if (last.allowed) return;
        const text = last.explain();
        const wait =
          waitIn(text, /would be admitted in ([\d.]+ \w+)/) ?? waitIn(text, /blocked for another ([\d.]+ \w+)/);
        const cost = last.binding?.cost as number;
        clock.advance((wait as number) - 1);
        expect([text, limiter.consume("k", cost).allowed]).toEqual([text, false]);
        clock.advance(1);
        expect([text, limiter.consume("k", cost).allowed]).toEqual([text, true]);
      }),
    );
  });

  test("property: names what the state holds, and when all of it is there again", () => {
    fc.assert(
      fc.property(happenings, (each) => {
        const { clock, limiter, store, last } = play(each);
        const text = limiter.explain("k");
        const policy = limiter.policies[0]?.fixed;
        const state = store.inspect([{ policy: policy as never, stateKey: "k", cost: 0 }])[0];
        const peeked = limiter.peek("k").policies[0];
        const left = Number(/so (\d+) of 10 left|all (\d+) (?:are|would be) left/.exec(text)?.slice(1).find(Boolean));
        expect([text, left]).toEqual([text, Math.max(0, Math.floor(10 - (state?.used ?? 0)))]);
        if (peeked?.blockedMs === 0) expect([text, left]).toEqual([text, peeked.remaining]);
        expect([text, waitIn(text, /blocked for another ([\d.]+ \w+)/) ?? 0]).toEqual([text, peeked?.blockedMs]);
        const debt = Number(/left, ([\d.]+) more than it admits/.exec(text)?.[1] ?? 0);
        expect(Math.abs(debt - Math.max(0, (state?.used ?? 0) - 10))).toBeLessThanOrEqual(0.001);
        const weighed = /count: (\d+) of .* and (\d+) of the (\d+) before it, of which ([\d.]+) %/.exec(text);
        if (weighed !== null) {
          const [current, counted, previous, percent] = weighed.slice(1).map(Number) as [
            number,
            number,
            number,
            number,
          ];
          expect([current, previous]).toEqual([state?.current, state?.previous]);
          expect(Math.abs(counted - Math.floor((previous * percent) / 100))).toBeLessThanOrEqual(1);
          expect(current + counted).toBe(state?.used);
        }
        const whole = waitIn(text, /all of it in ([\d.]+ \w+)/);
        if (whole === undefined) return;
        clock.set(last.at + whole - 1);
        expect([text, limiter.peek("k").policies[0]?.resetMs]).toEqual([text, 1]);
        clock.advance(1);
        expect([text, limiter.peek("k").policies[0]?.remaining]).toEqual([text, 10]);
      }),
    );
  });
});

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};

/** The ms that a sentence names. */
function waitIn(text: string, pattern: RegExp): number | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const [number, unit] = (match[1] as string).split(" ") as [string, string];
  return Math.round(Number(number) * (UNITS[unit === "ms" ? unit : unit.replace(/s$/, "")] as number));
}
