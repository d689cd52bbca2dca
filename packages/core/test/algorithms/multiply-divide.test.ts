import fc from "fast-check";
import { largestMultiplier, multiplyDivide } from "../../src/algorithms/multiply-divide.ts";

/** Numbers of every size up to `max`, as counts and windows are. */
function upTo(max: number, min: number): fc.Arbitrary<number> {
  const bits = Math.log2(max);
  return fc
    .integer({ min: 0, max: bits })
    .chain((bit) => fc.integer({ min, max: Math.max(min, Math.min(max, 2 ** bit)) }));
}

const ratios = fc.tuple(upTo(2 ** 41, 1), upTo(2 ** 41, 0)).map(([x, y]) => ({ b: Math.min(x, y), c: Math.max(x, y) }));

test("property: a product divided is exact, however large the product", () => {
  fc.assert(
    fc.property(upTo(2 ** 51, 0), ratios, (a, { b, c }) => {
      expect(multiplyDivide(a, b, c)).toBe(Number((BigInt(a) * BigInt(b)) / BigInt(c)));
    }),
    { numRuns: 5_000 },
  );
});

test("property: the largest multiplier is exact, however large the product", () => {
  fc.assert(
    fc.property(upTo(2 ** 51, 1), upTo(2 ** 41, 1), fc.double({ min: 0, max: 1, noNaN: true }), (a, c, share) => {
      const most = Math.min(a - 1, Math.floor(a * share));
      const largest = ((BigInt(most) + 1n) * BigInt(c) - 1n) / BigInt(a);
      expect(largestMultiplier(a, c, most)).toBe(Number(largest));
    }),
    { numRuns: 5_000 },
  );
});

test("the extremes are exact too", () => {
  expect(multiplyDivide(2 ** 51, 2 ** 41, 2 ** 41)).toBe(2 ** 51);
  expect(multiplyDivide(2 ** 51, 2 ** 41 - 1, 2 ** 41)).toBe(2 ** 51 - 2 ** 10);
  expect(multiplyDivide(2 ** 51, 0, 2 ** 41)).toBe(0);
  expect(multiplyDivide(2 ** 51 - 1, 2 ** 41 - 1, 2 ** 41 - 1)).toBe(2 ** 51 - 1);
  expect(largestMultiplier(2 ** 51, 2 ** 41, 2 ** 51 - 1)).toBe(2 ** 41 - 1);
  expect(largestMultiplier(2 ** 51, 2 ** 41, 0)).toBe(0);
  expect(largestMultiplier(1, 2 ** 41, 0)).toBe(2 ** 41 - 1);
});

test("a product of 2^53 + 1, which no double holds, is not taken for 2^53", () => {
  const factor = 84_179_432_287_299;
  expect(BigInt(factor) * 107n).toBe(2n ** 53n + 1n);
  expect(multiplyDivide(factor, 107, 107)).toBe(factor);
  expect(largestMultiplier(2 ** 47, 107, factor - 1)).toBe(64);
});
