/**
 * The entries of a sliding log in one array:
 *
 *     head  end  before[0] time[0]  before[1] time[1]  ...  before[end]
 *
 * Entries `head` to `end - 1` are kept, oldest first, their times rising. `before[i]` sums the units of
 * all entries before `i`, so the units between any two entries are one subtraction, and every search
 * is by halves. `before[end]` closes the last entry. Zeros, and no cells at all, are an empty log.
 */
const HEAD = 0;
const END = 1;
const ENTRIES = 2;

/** Small enough for the engine to keep the array's numbers inside the object. */
const LEAST_CAPACITY = 2;

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
  if (first > last) return restart(cells, time, used);
  if (timeOf(cells, last) === time) {
    cells[HEAD] = first;
    cells[ENTRIES + 2 * (last + 1)] = unitsBefore(cells, first) + used;
    return cells;
  }
  const kept = makeRoom(cells, first);
  const next = end(kept);
  kept[ENTRIES + 2 * next + 1] = time;
  kept[ENTRIES + 2 * next + 2] = unitsBefore(kept, kept[HEAD] as number) + used;
  kept[END] = next + 1;
  return kept;
}

function restart(cells: Float64Array, time: number, used: number): Float64Array {
  const capacity = capacityOf(cells);
  const kept = capacity < LEAST_CAPACITY || capacity > 8 * LEAST_CAPACITY ? withCapacity(LEAST_CAPACITY) : cells;
  kept[HEAD] = 0;
  kept[END] = 1;
  kept[ENTRIES] = 0;
  kept[ENTRIES + 1] = time;
  kept[ENTRIES + 2] = used;
  return kept;
}

/** Each copy of n entries is paid for by n/2 appends or by n forgotten entries: O(1) for each append. */
function makeRoom(cells: Float64Array, first: number): Float64Array {
  const last = end(cells);
  const live = last - first;
  const capacity = capacityOf(cells);
  if (
    last < capacity &&
    (live >= capacity / 8 || capacity <= 8 * LEAST_CAPACITY) &&
    unitsBefore(cells, last) <= MAX_SUM
  ) {
    cells[HEAD] = first;
    return cells;
  }
  const wanted =
    live > capacity / 2 ? 2 * capacity : live < capacity / 8 ? Math.max(2 * live, LEAST_CAPACITY) : capacity;
  const kept = wanted === capacity ? cells : withCapacity(wanted);
  const sum = unitsBefore(cells, first);
  for (let from = ENTRIES + 2 * first, to = ENTRIES; to < ENTRIES + 2 * live; from += 2, to += 2) {
    kept[to] = (cells[from] as number) - sum;
    kept[to + 1] = cells[from + 1] as number;
  }
  kept[ENTRIES + 2 * live] = unitsBefore(cells, last) - sum;
  kept[HEAD] = 0;
  kept[END] = live;
  return kept;
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
  return new Float64Array(ENTRIES + 2 * capacity + 1);
}
