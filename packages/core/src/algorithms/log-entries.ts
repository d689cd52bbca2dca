/**
 * The entries of a sliding log in one array:
 *
 *     head  end  before[0] time[0]  before[1] time[1]  ...  before[end]
 *
 * Entries `head` to `end - 1` are kept, oldest first, their times rising. `before[i]` sums the units of
 * all entries before `i`, so the units between any two entries are one subtraction, and every search
 * is by halves. `before[end]` closes the last entry. Zeros, and no cells at all, are an empty log.
 *
 * Twin of `redis/log-entries.lua`.
 */
const HEAD = 0;
const END = 1;
const ENTRIES = 2;

/** Small enough for the engine to keep the array's numbers inside the object. */
const LEAST_CAPACITY = 2;

/** An array up to here is kept however few entries are left. */
const SMALL_CAPACITY = 16;

/** Beyond this the sums are counted from the first kept entry again; one charge more stays below 2^53. */
const MAX_SUM: number = 2 ** 52;

/** One past the last entry. */
export function end(cells: Float64Array): number {
  return cells.length === 0 ? 0 : (cells[END] as number);
}

export function isEmpty(cells: Float64Array): boolean {
  return cells.length === 0 || cells[HEAD] === cells[END];
}

/** Units of all entries before this one. */
export function unitsBefore(cells: Float64Array, entry: number): number {
  return cells.length === 0 ? 0 : (cells[ENTRIES + 2 * entry] as number);
}

function timeOf(cells: Float64Array, entry: number): number {
  return cells[ENTRIES + 2 * entry + 1] as number;
}

/** Time of the newest entry; 0 when there is none. */
export function mark(cells: Float64Array): number {
  return isEmpty(cells) ? 0 : timeOf(cells, end(cells) - 1);
}

/** The first entry later than `time`: galloping from the oldest, since few have expired since the last charge. */
export function firstAfter(cells: Float64Array, time: number): number {
  let low = cells[HEAD] as number;
  let high = end(cells);
  for (let step = 1; low + step <= high; step *= 2) {
    if (timeOf(cells, low + step - 1) > time) {
      high = low + step - 1;
      break;
    }
    low += step;
  }
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (timeOf(cells, middle) > time) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Time of the entry that holds the `nth` unit (from 1) counted from entry `first` on. */
export function timeOfUnit(cells: Float64Array, first: number, nth: number): number {
  const sum = unitsBefore(cells, first) + nth;
  let low = first;
  let high = end(cells) - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (unitsBefore(cells, middle + 1) >= sum) high = middle;
    else low = middle + 1;
  }
  return timeOf(cells, low);
}

/** Forgets the entries before `first` and makes the rest hold `used` units, the new ones at `time`; answers the cells to keep. */
export function append(cells: Float64Array, first: number, time: number, used: number): Float64Array {
  const last = end(cells) - 1;
  if (first <= last && timeOf(cells, last) === time) {
    cells[HEAD] = first;
    cells[ENTRIES + 2 * (last + 1)] = unitsBefore(cells, first) + used;
    return cells;
  }
  const kept = makeRoom(cells, first, capacityFor(cells, first, time));
  const next = end(kept);
  kept[ENTRIES + 2 * next + 1] = time;
  kept[ENTRIES + 2 * next + 2] = unitsBefore(kept, kept[HEAD] as number) + used;
  kept[END] = next + 1;
  return kept;
}

/** How many cells more than now {@link append} keeps; less than 0 where it lets some go. */
export function growth(cells: Float64Array, first: number, time: number): number {
  return lengthOf(capacityFor(cells, first, time)) - cells.length;
}

/** Makes the newest entry one of `time`, which what is appended then joins: its units count for longer. */
export function postponeNewest(cells: Float64Array, time: number): void {
  if (!isEmpty(cells)) cells[ENTRIES + 2 * end(cells) - 1] = time;
}

/** Doubles when nearly all entries still count, halves when few do; in between the entries move, a quarter of the room at least. */
function capacityFor(cells: Float64Array, first: number, time: number): number {
  const capacity = capacityOf(cells);
  const last = end(cells);
  const live = last - first;
  if (live > 0 && timeOf(cells, last - 1) === time) return capacity;
  if (capacity < LEAST_CAPACITY || (capacity > SMALL_CAPACITY && live < capacity / 8))
    return Math.max(2 * live, LEAST_CAPACITY);
  return last === capacity && live > 0.75 * capacity ? 2 * capacity : capacity;
}

/** Answers cells with the entries from `first` on and room for one more. */
function makeRoom(cells: Float64Array, first: number, capacity: number): Float64Array {
  const last = end(cells);
  const target = capacity === capacityOf(cells) ? cells : withCapacity(capacity);
  if (target === cells && first < last && last < capacity && unitsBefore(cells, last) <= MAX_SUM) {
    cells[HEAD] = first;
    return cells;
  }
  // The sums begin at 0 again, and so never grow past what is exact.
  const sum = unitsBefore(cells, first);
  const live = last - first;
  const shift = 2 * first;
  for (let cell = ENTRIES; cell < ENTRIES + 2 * live; cell += 2) {
    target[cell] = (cells[cell + shift] as number) - sum;
    target[cell + 1] = cells[cell + shift + 1] as number;
  }
  target[ENTRIES + 2 * live] = unitsBefore(cells, last) - sum;
  target[HEAD] = 0;
  target[END] = live;
  return target;
}

/** Takes up to `cost` units from the entry of exactly this time, if there is one; an entry without units goes. */
export function giveBack(cells: Float64Array, time: number, cost: number): void {
  const entry = firstAfter(cells, time - 1);
  const last = end(cells);
  if (entry === last || timeOf(cells, entry) !== time) return;
  const units = unitsBefore(cells, entry + 1) - unitsBefore(cells, entry);
  const given = Math.min(cost, units);
  for (let later = entry + 1; later <= last; later++) cells[ENTRIES + 2 * later] = unitsBefore(cells, later) - given;
  if (given < units) return;
  cells.copyWithin(ENTRIES + 2 * entry, ENTRIES + 2 * entry + 2, ENTRIES + 2 * last + 1);
  cells[END] = last - 1;
}

function capacityOf(cells: Float64Array): number {
  return (cells.length - ENTRIES - 1) >> 1;
}

function withCapacity(capacity: number): Float64Array {
  return new Float64Array(lengthOf(capacity));
}

function lengthOf(capacity: number): number {
  return ENTRIES + 2 * capacity + 1;
}
