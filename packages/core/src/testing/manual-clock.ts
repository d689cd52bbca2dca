/** A clock that stands still until told. */
export interface ManualClock {
  (): number;
  /** Goes to this epoch ms, back as well. */
  set(at: number): void;
  /** Goes on, or back, by so many ms. */
  advance(ms: number): void;
}

/** The time that the numbers of the acceptance cases are counted from. */
export const CASE_EPOCH = 1_699_920_000_000;

/**
 * A clock for stores and limiters under test, which moves when it is told to.
 *
 * @param start - epoch ms. @defaultValue 1,699,920,000,000: a multiple of a day, so windows of any usual length begin there
 */
export function manualClock(start: number = CASE_EPOCH): ManualClock {
  let now = start;
  const clock = (): number => now;
  return Object.assign(clock, {
    set(at: number): void {
      now = at;
    },
    advance(ms: number): void {
      now += ms;
    },
  });
}
