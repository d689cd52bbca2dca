import { KeyHash } from "../../src/memory/key-hash.ts";
import type { Occupancy } from "../../src/memory/occupancy.ts";
import { Room } from "../../src/memory/room.ts";
import type { Segment } from "../../src/memory/segment.ts";
import { Table } from "../../src/memory/table.ts";

/** How many positions a look-up of a new key walks on the average until it finds a free one. */
function meanWalk(segments: readonly Segment[]): number {
  let walked = 0;
  let positions = 0;
  for (const segment of segments) {
    positions += segment.positions;
    let run = 0;
    for (let position = 0; position < segment.positions; position++) {
      run = segment.isFree(position) ? 0 : run + 1;
      walked += run;
    }
  }
  return walked / positions;
}

const LONGEST_WALK = 200;

test("states that are stale at once are collected without crowding any part of their table", () => {
  const occupancy: Occupancy = { states: 0, logCells: 0, moves: 0 };
  const lifetime = { staleAt: () => 0, roomLeft: () => 1 };
  const table = new Table(1, lifetime, { occupancy, hash: new KeyHash() });
  const room = new Room(occupancy, 1_000_000, 0, [table], []);
  const walks: number[] = [];
  for (let key = 0; key < 100_000; key++) {
    table.add(`key ${key}`);
    room.collect(1, 1);
    if (key % 500 === 0) walks.push(meanWalk(table.segments));
  }
  expect(occupancy.states).toBeLessThan(16_384);
  expect(walks.reduce((sum, walk) => sum + walk, 0) / walks.length).toBeLessThan(LONGEST_WALK);
});
