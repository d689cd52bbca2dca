import fc from "fast-check";
import { MAX_COUNT } from "../../src/algorithms/algorithm.ts";
import { happenings, START, type Happening } from "../support/arbitraries.ts";
import { policyOf, stateOf, type Look } from "../support/state.ts";

/** The same as plainly as it can be said: a list of entries, summed each time. */
class PlainLog {
  entries: { time: number; units: number }[] = [];
  readonly limit: number;
  readonly window: number;

  constructor(limit: number, window: number) {
    this.limit = limit;
    this.window = window;
  }

  counting(now: number): { time: number; units: number }[] {
    const mark = this.entries.at(-1)?.time ?? 0;
    if (mark - now > this.window) return [];
    return this.entries.filter(({ time }) => time > Math.max(now, mark) - this.window);
  }

  charge(now: number, cost: number): number {
    this.entries = this.counting(now);
    const time = Math.max(now, this.entries.at(-1)?.time ?? 0);
    const newest = this.entries.at(-1);
    if (newest?.time === time) newest.units += cost;
    else this.entries.push({ time, units: cost });
    return time;
  }

  refund(now: number, time: number, cost: number): void {
    const entry = this.counting(now).find((each) => each.time === time);
    if (entry !== undefined) entry.units = Math.max(0, entry.units - cost);
    this.entries = this.entries.filter(({ units }) => units > 0);
  }

  look(now: number, cost: number): Look {
    const counting = this.counting(now);
    const used = counting.reduce((sum, { units }) => sum + units, 0);
    const allowed = used + cost <= this.limit;
    let left = used;
    const gone = counting.find(({ units }) => (left -= units) + cost <= this.limit);
    const wait = (time: number | undefined): number => (time ?? 0) + this.window - now;
    return {
      allowed,
      remaining: Math.max(0, this.limit - used),
      resetMs: counting.length === 0 ? 0 : wait(counting.at(-1)?.time),
      retryAfterMs: allowed ? 0 : cost > this.limit ? Infinity : wait(gone?.time),
    };
  }
}

const KINDS = ["consume", "consume", "consume", "charge", "refund"] as const;

test("property: it answers what a plain list of entries answers, however often it grows, shrinks and moves", () => {
  const histories = fc
    .record({ limit: fc.integer({ min: 1, max: 100 }), window: fc.integer({ min: 1, max: 200 }) })
    .map((numbers) => policyOf("sliding-window-log", numbers))
    .chain((policy) =>
      fc.record({
        policy: fc.constant(policy),
        each: fc.array(
          fc.oneof(happenings(policy, KINDS, 30), happenings({ ...policy, span: 3, capacity: 2 }, KINDS, 60)),
          { maxLength: 5 },
        ),
        backs: fc.array(fc.nat({ max: 2 * policy.window }), { minLength: 1, maxLength: 7 }),
      }),
    );
  fc.assert(
    fc.property(histories, ({ policy, each, backs }) => {
      const state = stateOf(policy);
      const plain = new PlainLog(policy.limit, policy.window);
      const receipts: number[] = [];
      let now = START;
      for (const [i, { kind, wait, cost }] of each.flat().entries()) {
        now += i % 7 === 6 ? -(backs[i % backs.length] as number) : wait;
        play(kind, cost, i);
        const looks = [state.look(now, 1), state.look(now, cost), state.look(now, policy.limit)];
        expect(looks).toEqual([plain.look(now, 1), plain.look(now, cost), plain.look(now, policy.limit)]);
        expect(state.staleAt()).toBe(
          plain.entries.length === 0 ? 0 : (plain.entries.at(-1)?.time ?? 0) + policy.window,
        );
      }

      function play(kind: Happening["kind"], cost: number, i: number): void {
        if (kind === "charge") {
          state.charge(now, cost);
          plain.charge(now, cost);
        } else if (kind === "consume") {
          const { allowed } = plain.look(now, cost);
          const receipt = state.consume(now, cost);
          expect(receipt).toBe(allowed ? plain.charge(now, cost) : undefined);
          if (receipt !== undefined) receipts.push(receipt);
        } else if (receipts.length > 0) {
          const receipt = receipts[Math.max(0, receipts.length - 1 - (i % 5))] as number;
          state.refund(now, receipt, cost);
          plain.refund(now, receipt, cost);
        }
      }
    }),
    { numRuns: 300 },
  );
});

test("a decision among 100,000 entries touches some hundred cells at most", () => {
  const policy = policyOf("sliding-window-log", { limit: 100_000, window: 1_000_000 });
  const state = stateOf(policy);
  for (let i = 0; i < 100_000; i++) state.consume(START + i, 1);
  let touched = 0;
  const cells = new Proxy(state.cells(), {
    get(target, property): unknown {
      touched++;
      return Reflect.get(target, property, target) as unknown;
    },
  });
  const watched = stateOf(policy, cells);
  for (const now of [START + 100_000, START + 1_000_000, START + 1_050_000, START + 1_099_998]) {
    touched = 0;
    expect(watched.look(now, 100_000).allowed).toBe(false);
    expect(touched).toBeLessThan(150);
    expect(touched).toBeGreaterThan(5);
  }
});

test("it needs room for what counts, not for what ever happened", () => {
  const policy = policyOf("sliding-window-log", { limit: 1_000, window: 1_000 });
  const state = stateOf(policy);
  const denied = Array.from({ length: 100_000 }, (_, i) => state.consume(START + i, 1)).filter(
    (receipt) => receipt === undefined,
  );
  expect(denied).toEqual([]);
  expect(state.cells().length).toBeLessThanOrEqual(2 * 2 * 1_024 + 3);
  for (let i = 0; i < 10; i++) state.consume(START + 200_000 + i * 500, 1);
  expect(state.cells().length).toBeLessThan(64);
  expect(state.look(START + 204_500).remaining).toBe(998);
});

test("appending costs the same, however many entries there are", () => {
  const policy = policyOf("sliding-window-log", { limit: 2 ** 50, window: 10_000 });
  const state = stateOf(policy);
  let allocated = 0;
  let cells = state.cells();
  for (let i = 0; i < 100_000; i++) {
    state.consume(START + i, 1);
    if (state.cells() !== cells) allocated += (cells = state.cells()).length;
  }
  expect(allocated).toBeLessThan(16 * 10_000);
});

test("counts saturate, and their sums stay exact", () => {
  const policy = policyOf("sliding-window-log", { limit: 2 ** 50, window: 10 });
  const state = stateOf(policy, Float64Array.of(0, 1, 0, START, MAX_COUNT - 5));
  state.charge(START + 9, 7);
  expect(state.read(START + 9).used).toBe(MAX_COUNT);
  expect(state.look(START + 10).remaining).toBe(2 ** 50 - 5);
  for (let i = 10; i < 40; i++) {
    state.charge(START + i, 2 ** 31);
    const kept = [...state.cells()].slice(2);
    expect(Math.max(...kept)).toBeLessThan(2 ** 53);
  }
  expect(state.look(START + 39).remaining).toBe(2 ** 50 - 10 * 2 ** 31);
});
