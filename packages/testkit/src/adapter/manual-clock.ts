/** A clock that stands still until told to move. */
export interface ManualClock {
  (): number;
  /** Moves it by whole milliseconds. */
  advance(ms: number): void;
}

/** Begins at the given epoch second; the default is a multiple of a day, so windows of any usual length begin there. */
export function manualClock(second: number = 1_699_920_000): ManualClock {
  let now = second * 1_000;
  return Object.assign(() => now, {
    advance(ms: number) {
      now += ms;
    },
  });
}
