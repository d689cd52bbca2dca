const MINUTE_MS = 60_000;
const NEEDED_MS = 10_000;

/**
 * Resolves when at least ten seconds of the minute of the wall clock are left, in the next minute otherwise.
 *
 * Windows are aligned to the clock: what a window of a minute, an hour or a day has counted is gone, or fades, as soon
 * as a minute begins. Texts for readers show such windows on the real clock, so whoever tries them out counts exactly
 * only if no minute begins in between. Tests that can have a clock of their own need none of this.
 */
export async function earlyInTheMinute(): Promise<void> {
  const left = (): number => MINUTE_MS - (Date.now() % MINUTE_MS);
  // A timer may be a little early by the wall clock.
  while (left() < NEEDED_MS) await new Promise((resolve) => setTimeout(resolve, left() + 1));
}
