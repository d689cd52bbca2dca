/** Resolves after at least `ms` milliseconds; rejects with the signal's reason as soon as it aborts. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** The clocks of a client. */
export interface Time {
  /** Epoch milliseconds, to be compared with what servers say; may jump. */
  readonly wall: () => number;
  /** Milliseconds since some fixed moment; never goes back. */
  readonly elapsed: () => number;
  readonly sleep: Sleep;
}

/** Node and browsers keep a timer's delay in 31 bits; a longer one fires at once. */
export const LONGEST_TIMER_MS: number = 2 ** 31 - 1;

/** The clocks of the machine. A given clock, for tests, serves as both. */
export function createTime(clock: (() => number) | undefined, sleep: Sleep | undefined): Time {
  return {
    wall: clock ?? (() => Date.now()),
    elapsed: clock ?? (() => performance.now()),
    sleep: sleep ?? sleepByTimer,
  };
}

/** {@link Sleep} by `setTimeout`. Leaves neither a timer nor a listener behind. */
function sleepByTimer(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    // A timer of Node may fire up to a millisecond early, and a stated wait must not be undercut.
    const timer = setTimeout(
      () => {
        signal.removeEventListener("abort", stop);
        resolve();
      },
      Math.min(Math.ceil(ms) + 1, LONGEST_TIMER_MS),
    );
    signal.addEventListener("abort", stop, { once: true });

    function stop(): void {
      clearTimeout(timer);
      reject(signal.reason);
    }
  });
}
