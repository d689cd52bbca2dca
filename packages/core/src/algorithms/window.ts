/** Start of the clock-aligned window that holds `now`; a division, since the remainder of doubles is many times slower. */
export function startOfWindow(now: number, window: number): number {
  return Math.floor(now / window) * window;
}

/** Window algorithms delay nobody. */
export function noDelay(): number {
  return 0;
}
