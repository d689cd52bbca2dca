/** How a number spreads over callers. */
export interface Distribution {
  readonly median: number;
  readonly p90: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
  /** Callers whose number is at least `from` and below the `from` of the next bin; empty bins are left out at the ends only. */
  readonly bins: readonly Bin[];
}

interface Bin {
  readonly from: number;
  readonly callers: number;
}

/** Bins at numbers that people like to read: 0, 1, 2, ... 10, 12, 15, 20, ... */
const STEPS: readonly number[] = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8];

/** Sorts the given numbers in place. */
export function distributionOf(numbers: Uint32Array): Distribution {
  numbers.sort();
  const max = numbers.at(-1) ?? 0;
  return {
    median: quantile(numbers, 0.5),
    p90: quantile(numbers, 0.9),
    p99: quantile(numbers, 0.99),
    p999: quantile(numbers, 0.999),
    max,
    bins: binsOf(numbers),
  };
}

/** The least of the sorted numbers that at least this share of them does not exceed; 0 where there are none. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length, Math.max(1, Math.ceil(share * sorted.length - 1e-9))) - 1] ?? 0;
}

/** The least number of 1, 1.2, 1.5, 2, ... times a power of ten that is whole and not below the given one. */
export function niceAtLeast(value: number): number {
  for (let unit = 1; ; unit *= 10) {
    for (const step of STEPS) if (Number.isInteger(step * unit) && step * unit >= value) return step * unit;
  }
}

function binsOf(sorted: Uint32Array): Bin[] {
  const bins: { from: number; callers: number }[] = [];
  if (sorted.length === 0) return bins;
  for (let at = 0, from = floorOf(sorted[0] as number); at < sorted.length;) {
    const next = niceAtLeast(from + 1);
    const end = firstAtLeast(sorted, next);
    bins.push({ from, callers: end - at });
    at = end;
    from = next;
  }
  return bins;
}

/** The bin that a number is in. */
function floorOf(value: number): number {
  let from = 0;
  for (let next = niceAtLeast(1); next <= value; next = niceAtLeast(from + 1)) from = next;
  return from;
}

function firstAtLeast(sorted: Uint32Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
