import fc from "fast-check";
import { Hand } from "../../src/memory/hand.ts";
import { KeyHash } from "../../src/memory/key-hash.ts";
import type { Occupancy } from "../../src/memory/occupancy.ts";
import { Table } from "../../src/memory/table.ts";

const IMMORTAL = { staleAt: () => Infinity, roomLeft: () => 0 };
const EMPTY: Occupancy = { states: 0, logCells: 0, moves: 0 };

interface Subject {
  readonly table: Table;
  readonly occupancy: Occupancy;
  readonly hand: Hand;
  put(key: string, value: number): void;
  get(key: string): number[] | undefined;
  delete(key: string): void;
}

/** A table whose segments hold 8 states, so that few keys already split them. */
function subjectOf(width: number, hash: KeyHash = new KeyHash(), mostPositions: number = 10): Subject {
  const occupancy = { ...EMPTY };
  const table = new Table(width, IMMORTAL, { occupancy, hash, mostPositions });
  return {
    table,
    occupancy,
    hand: new Hand([table]),
    put(key, value) {
      let position = table.find(key);
      if (position < 0) position = table.add(key);
      if (width === 0) table.keepLog(table.segment, position, new Float64Array(1 + (value % 3)).fill(value));
      else table.segment.cells.fill(value, table.baseOf(position), table.baseOf(position) + width);
    },
    get(key) {
      const position = table.find(key);
      if (position < 0) return undefined;
      const cells = table.cellsAt(table.segment, position);
      return width === 0 ? [...cells] : [...cells.subarray(table.baseOf(position), table.baseOf(position) + width)];
    },
    delete: (key) => table.delete(key),
  };
}

function stateOf(width: number, value: number): number[] {
  return Array.from({ length: width === 0 ? 1 + (value % 3) : width }, () => value);
}

/** The first number of each state, by the hand of the clock, one round. */
function valuesByHand({ table, hand }: Subject): number[] {
  const values: number[] = [];
  const positions = table.segments.reduce((sum, segment) => sum + segment.positions, 0);
  for (let step = 0; step < positions && table.count > 0; step++) {
    hand.tidy();
    hand.advance();
    if (!hand.isFree) values.push(hand.cells[hand.base] as number);
  }
  return values;
}

const operations = fc.array(
  fc.tuple(
    fc.constantFrom("put", "put", "put", "delete", "get", "tidy"),
    fc.nat({ max: 200 }).map((i) => `key-${i}`),
    fc.integer({ min: 1, max: 1_000 }),
  ),
  { maxLength: 600, size: "max" },
);

describe.each([0, 1, 2, 3])("a table of states of %i numbers", (width) => {
  test("property: after any additions and removals it holds what a Map would", () => {
    fc.assert(
      fc.property(operations, (steps) => {
        const subject = subjectOf(width);
        const model = new Map<string, number>();
        for (const [step, key, value] of steps) {
          if (step === "put") {
            subject.put(key, value);
            model.set(key, value);
          } else if (step === "delete") {
            subject.delete(key);
            model.delete(key);
          } else if (step === "tidy") {
            const before = Array.from(subject.table.segments);
            for (const segment of before) if (subject.table.segments.includes(segment)) subject.table.tidy(segment);
          }
          const expected = model.get(key);
          expect(subject.get(key)).toEqual(expected === undefined ? undefined : stateOf(width, expected));
        }
        expect(subject.table.count).toBe(model.size);
        expect(subject.occupancy.states).toBe(model.size);
        expect(subject.table.segments.reduce((sum, { count }) => sum + count, 0)).toBe(model.size);
        for (const [key, value] of model) expect(subject.get(key)).toEqual(stateOf(width, value));
        if (width === 0) {
          const cells = [...model.values()].reduce((sum, value) => sum + 1 + (value % 3), 0);
          expect(subject.occupancy.logCells).toBe(cells);
        }
      }),
    );
  });

  test("property: the hand passes every state once in a round, whatever was split or joined before", () => {
    fc.assert(
      fc.property(fc.nat({ max: 300 }), fc.nat({ max: 300 }), (added, removed) => {
        const subject = subjectOf(width);
        valuesByHand(subject);
        for (let i = 0; i < added; i++) subject.put(`key-${i}`, i + 1);
        valuesByHand(subject);
        for (let i = 0; i < Math.min(added, removed); i++) subject.delete(`key-${i}`);
        // Joins what has become small; the round after it finds everything at rest.
        for (let round = 0; round < 12; round++) valuesByHand(subject);
        const left = Array.from({ length: Math.max(0, added - removed) }, (_, i) => removed + i + 1);
        expect(valuesByHand(subject).sort((a, b) => a - b)).toEqual(left);
      }),
    );
  });
});

describe("a table", () => {
  test("splits one segment at a time, and joins them when their states have gone", () => {
    const subject = subjectOf(1);
    let segments = 1;
    for (let i = 0; i < 500; i++) {
      subject.put(`key-${i}`, i);
      // One that gets all states of a split one is split again.
      expect(subject.table.segments.length - segments).toBeLessThanOrEqual(4);
      segments = subject.table.segments.length;
    }
    expect(segments).toBeGreaterThan(60);
    for (let i = 0; i < 499; i++) subject.delete(`key-${i}`);
    for (let round = 0; round < 12; round++) valuesByHand(subject);
    expect(subject.table.segments).toHaveLength(1);
    expect(subject.get("key-499")).toEqual([499]);
  });

  test.each([7, 70, 500])("starts over when the last of %i states is removed", (count) => {
    const subject = subjectOf(1, new KeyHash(), 100);
    for (let i = 0; i < count; i++) subject.put(`key-${i}`, i);
    for (let i = 0; i < count; i++) subject.delete(`key-${i}`);
    expect(subject.table.segments).toHaveLength(1);
    expect(subject.table.segments[0]?.positions).toBeLessThanOrEqual(16);
  });

  test("tells keys apart by each of the four numbers of their hash", () => {
    for (const part of ["first", "second", "third", "fourth"] as const) {
      const hash = new KeyHash();
      hash.of = (key) => Object.assign(hash, { first: 1, second: 1, third: 1, fourth: 1, [part]: key.length }).first;
      const subject = subjectOf(1, hash, 100);
      for (let length = 1; length <= 50; length++) subject.put("k".repeat(length), length);
      for (let length = 1; length <= 50; length++) expect(subject.get("k".repeat(length))).toEqual([length]);
    }
  });

  test("stays within bounds under a hash that has all keys in one place", () => {
    const hash = new KeyHash();
    hash.of = (key) => Object.assign(hash, { first: 7, second: Number(key.slice(4)) }).first;
    const subject = subjectOf(1, hash);
    for (let i = 0; i < 30; i++) subject.put(`key-${i}`, i);
    // Of ten positions, by the bound of the segment that they ended up in.
    expect([7, 8]).toContain(subject.table.count);
    expect(subject.occupancy.states).toBe(subject.table.count);
    expect(subject.get("key-29")).toEqual([29]);
  });

  test("gives a state that is added numbers of 0, whatever stood there before", () => {
    for (const count of [3, 100]) {
      const subject = subjectOf(2);
      for (let i = 0; i < count; i++) subject.put(`key-${i}`, 5);
      for (let i = 1; i < count; i++) subject.delete(`key-${i}`);
      const position = subject.table.add("new");
      const base = subject.table.baseOf(position);
      expect([...subject.table.segment.cells.subarray(base, base + 2)]).toEqual([0, 0]);
    }
  });

  test("counts a move whenever a position may have become another's", () => {
    const subject = subjectOf(1);
    for (let i = 0; i < 100; i++) {
      const before = subject.occupancy.moves;
      subject.put(`key-${i}`, i);
      expect(subject.occupancy.moves).toBeGreaterThan(before);
    }
    const before = subject.occupancy.moves;
    subject.put("key-1", 2);
    expect(subject.occupancy.moves).toBe(before);
    subject.delete("key-1");
    expect(subject.occupancy.moves).toBeGreaterThan(before);
  });
});
