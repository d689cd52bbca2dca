import fc from "fast-check";
import { KeyHash } from "../../src/memory/key-hash.ts";

/** Always the same factors, so that no run of the test differs from another. */
function fixedHash(): KeyHash {
  return new KeyHash((factors) => {
    let state = 0x2545f491;
    for (let i = 0; i < factors.length; i++) {
      state = Math.imul(state, 1_664_525) + 1_013_904_223;
      factors[i] = state ^ (state >>> 13);
    }
  });
}

/** How far the counts of a spread are from an even one: about 1 for each degree of freedom when it is random. */
function unevenness(counts: readonly number[]): number {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0) / (counts.length - 1);
}

const KINDS: Readonly<Record<string, (i: number) => string>> = {
  "numbers that rise": (i) => `user-${i}`,
  "IPv4 addresses": (i) => `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`,
  "IPv6 networks": (i) => `2001:db8:${(i >> 12).toString(16)}:${(i & 4095).toString(16)}::/64`,
  "characters beyond Latin": (i) => `客户${String.fromCharCode(0x4e00 + (i & 8191))}${i >> 13}`,
  "keys that differ at their end only": (i) => "k".repeat(100) + i.toString(36).padStart(5, "0"),
  "keys that differ at their beginning only": (i) => i.toString(36).padStart(5, "0") + "k".repeat(100),
  "keys longer than the factors": (i) => i.toString(36).padStart(5, "0") + "k".repeat(600) + (i % 7),
};

describe("the hash of a key", () => {
  for (const [kind, keyOf] of Object.entries(KINDS)) {
    test(`spreads ${kind} evenly, by its first bits and by its last`, () => {
      const hash = fixedHash();
      const first = Array.from({ length: 64 }, () => 0);
      const last = Array.from({ length: 64 }, () => 0);
      const all = new Set<number>();
      for (let i = 0; i < 50_000; i++) {
        const value = hash.of(keyOf(i));
        first[value >>> 26]!++;
        last[value & 63]!++;
        all.add(value);
      }
      expect(unevenness(first)).toBeLessThan(1.8);
      expect(unevenness(last)).toBeLessThan(1.8);
      // Of 50,000 random 32-bit numbers 0.3 pairs are equal.
      expect(50_000 - all.size).toBeLessThan(5);
    });

    test(`makes different numbers of ${kind}, in each of its parts`, () => {
      const hash = fixedHash();
      const parts = [0, 1, 2, 3].map(() => new Set<number>());
      for (let i = 0; i < 50_000; i++) {
        hash.of(keyOf(i));
        for (const [at, part] of [hash.first, hash.second, hash.third, hash.fourth].entries()) parts[at]?.add(part);
      }
      for (const part of parts) expect(50_000 - part.size).toBeLessThan(50);
    });
  }

  test("is equal for equal keys, a whole number and never 0", () => {
    const hash = fixedHash();
    const zero = new KeyHash((factors) => factors.fill(0));
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 600, size: "max" }), (key) => {
        const value = hash.of(key);
        expect(hash.of(`${key.slice(0, 3)}${key.slice(3)}`)).toBe(value);
        expect(value | 0).toBe(value);
        expect(value).not.toBe(0);
        expect(zero.of(key)).not.toBe(0);
      }),
    );
  });

  test("tells keys apart that differ by characters of value 0", () => {
    const hash = fixedHash();
    const keys = Array.from({ length: 600 }, (_, length) => `a${"\0".repeat(length)}`);
    expect(new Set(keys.map((key) => hash.of(key))).size).toBe(600);
  });

  test("tells long keys apart whose parts are exchanged", () => {
    const hash = fixedHash();
    const [a, b, c] = ["a", "b", "c"].map((part) => part.repeat(256)) as [string, string, string];
    const keys = [a + b + c, a + c + b, b + a + c, b + c + a, c + a + b, c + b + a];
    expect(new Set(keys.map((key) => hash.of(key))).size).toBe(6);
  });

  test("makes its parts by factors of their own", () => {
    const hash = new KeyHash();
    let alike = 0;
    for (let i = 0; i < 1_000; i++) {
      hash.of(`key-${i}`);
      const { first, second, third, fourth } = hash;
      alike += 4 - new Set([first, second, third, fourth]).size;
    }
    expect(alike).toBe(0);
  });

  test("differs from one store to the next", () => {
    const [one, other] = [new KeyHash(), new KeyHash()];
    const keys = Array.from({ length: 100 }, (_, i) => `key-${i}`);
    expect(keys.filter((key) => one.of(key) === other.of(key)).length).toBeLessThan(3);
  });
});
