import { createHmac } from "node:crypto";
import fc from "fast-check";
import type { DecisionRecord } from "@aforo/core";
import { DistinctKeys } from "../src/distinct-keys.ts";
import { HyperLogLog } from "../src/hyper-log-log.ts";

const hash = (text: string): string => createHmac("sha256", "tests").update(text).digest("hex").slice(0, 16);

/** 1.04 / 2^6, and six of them, which no estimate misses in practice. */
const TOLERANCE = 6 * 0.01625;

describe("an estimate of distinct keys", () => {
  test.each([0, 1, 2, 10, 100])("of %i is nearly exact", (count) => {
    const seen = new HyperLogLog();
    for (let i = 0; i < 3 * count; i++) seen.add(hash(`${i % count}`));
    expect(Math.abs(seen.estimate() - count)).toBeLessThanOrEqual(Math.ceil(count * 0.03));
  });

  test("property: is within six standard errors at every number of keys", () => {
    fc.assert(
      fc.property(fc.nat({ max: 40_000 }), fc.string(), (count, salt) => {
        const seen = new HyperLogLog();
        for (let i = 0; i < count; i++) seen.add(hash(`${salt}/${i}`));
        return Math.abs(seen.estimate() - count) <= Math.max(2, count * TOLERANCE);
      }),
      { numRuns: 12 },
    );
  });

  test("property: of two sets together is the estimate of their union", () => {
    const keys = fc.array(fc.nat({ max: 500 }), { maxLength: 200, size: "max" });
    fc.assert(
      fc.property(keys, keys, (a, b) => {
        const [one, other, both] = [new HyperLogLog(), new HyperLogLog(), new HyperLogLog()];
        for (const key of a) one.add(hash(`${key}`));
        for (const key of b) other.add(hash(`${key}`));
        for (const key of [...a, ...b]) both.add(hash(`${key}`));
        one.merge(other);
        return one.estimate() === both.estimate();
      }),
    );
  });
});

describe("distinct keys of the last window", () => {
  const record = (policy: string, key: string): DecisionRecord =>
    ({ limiter: "api", policies: [{ policy, keyHash: hash(key) }] }) as unknown as DecisionRecord;

  test("are counted by policy, and forgotten between one window and a fifth more", () => {
    let now = 0;
    const keys = new DistinctKeys(5_000, () => now);
    for (const key of ["a", "b", "a"]) keys.add(record("p", key));
    keys.add(record("q", "a"));
    const counts = (): unknown => keys.counts().map(({ policy, keys: count }) => [policy, count]);
    expect(counts()).toEqual([
      ["p", 2],
      ["q", 1],
    ]);
    now = 2_500;
    keys.add(record("p", "c"));
    now = 5_999;
    expect(counts()).toEqual([
      ["p", 3],
      ["q", 1],
    ]);
    now = 6_000;
    expect(counts()).toEqual([
      ["p", 1],
      ["q", 0],
    ]);
    now = 1_000_000;
    expect(counts()).toEqual([
      ["p", 0],
      ["q", 0],
    ]);
  });
});
