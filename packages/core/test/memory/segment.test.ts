import { KeyHash } from "../../src/memory/key-hash.ts";
import { Segment } from "../../src/memory/segment.ts";

const POSITIONS = 1_000;
const SEGMENTS = 64;

/** How many states a segment of so many positions takes before it is to be split. */
function capacityOf(ordinal: number, hash: KeyHash): number {
  const segment = new Segment(1, 0, POSITIONS, ordinal);
  for (let key = 0; !segment.full; key++) {
    hash.of(`key ${key}`);
    segment.add(hash);
  }
  return segment.count;
}

test("segments that fill at the same rate are not full in the same turns", () => {
  const hash = new KeyHash();
  const capacities = Array.from({ length: SEGMENTS }, (_, ordinal) => capacityOf(ordinal, hash));
  expect(Math.min(...capacities)).toBeGreaterThanOrEqual(720);
  expect(Math.max(...capacities)).toBeLessThanOrEqual(850);
  // Were they spread evenly, ten states more would make five of them full.
  for (const capacity of capacities) {
    const together = capacities.filter((each) => each >= capacity && each < capacity + 10);
    expect(together.length).toBeLessThanOrEqual(7);
  }
});

test("both halves of a segment that is split keep room, whichever ordinals they get", () => {
  const hash = new KeyHash();
  for (let ordinal = 0; ordinal < 20; ordinal++) {
    const segment = new Segment(1, 0, POSITIONS, ordinal);
    const keys: string[] = [];
    while (!segment.full) {
      keys.push(`key ${keys.length}`);
      hash.of(keys.at(-1) as string);
      segment.add(hash);
    }
    const halves = segment.split(ordinal + 1);
    expect(halves.map(({ full }) => full)).toEqual([false, false]);
    expect(halves[0].count + halves[1].count).toBe(keys.length);
    for (const key of keys) {
      hash.of(key);
      expect(halves.filter((half) => half.find(hash) >= 0)).toHaveLength(1);
    }
  }
});

test("a segment at its largest takes in more than its bound, and then is full", () => {
  const hash = new KeyHash();
  // All in the lower half.
  hash.of = (key) => Object.assign(hash, { first: 1 + Number(key), second: 1, third: 1, fourth: 1 }).first;
  const roomy = new Segment(1, 0, POSITIONS, 21);
  const tight = new Segment(1, 0, POSITIONS, 0);
  for (let key = 0; !roomy.full; key++) {
    hash.of(String(key));
    roomy.add(hash);
  }
  while (!tight.full) {
    hash.of(String(tight.count));
    tight.add(hash);
  }
  expect(roomy.count).toBeGreaterThan(tight.count);
  const moved = roomy.count;
  const [lower, upper] = roomy.split(0);
  expect([lower.count, upper.count, lower.full]).toEqual([moved, 0, true]);
  for (let key = 0; key < moved; key++) {
    hash.of(String(key));
    expect(lower.find(hash)).toBeGreaterThanOrEqual(0);
  }
});

test("a segment that cannot grow, for want of memory, stays as it was", () => {
  const hash = new KeyHash();
  const segment = new Segment(1, 0, POSITIONS, 1);
  const keys = Array.from({ length: 50 }, (_, index) => `key ${index}`);
  const add = (key: string): void => {
    hash.of(key);
    segment.add(hash);
  };
  const { Float64Array: usual } = globalThis;
  let added = 0;
  try {
    globalThis.Float64Array = function exhausted() {
      throw new RangeError("Array buffer allocation failed");
    } as unknown as typeof usual;
    expect(() => {
      for (const key of keys) {
        add(key);
        added++;
      }
    }).toThrow(RangeError);
  } finally {
    globalThis.Float64Array = usual;
  }
  expect(segment.count).toBe(added);
  for (const key of keys.slice(added)) add(key);
  for (const key of keys) {
    hash.of(key);
    expect(segment.find(hash)).toBeGreaterThanOrEqual(0);
  }
});
