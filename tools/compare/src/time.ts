/** The time that a story goes by. */
export interface Time {
  /** Given to subjects that take a clock; `undefined` for their own. */
  readonly clock: (() => number) | undefined;
  /** Epoch ms. */
  now(): number;
  sleep(ms: number): Promise<void>;
  /** @throws TooBusy when the machine let something be late, so that the story tells nothing. */
  requireInTime(lateMs: number): void;
}

/** Thrown by a play whose timing the machine could not keep: it says nothing, right or wrong. */
export class TooBusy extends Error {}

const LATE_MS = 200;

/** The time of the wall, for all subjects alike. */
export const WALL_TIME: Time = {
  clock: undefined,
  now: Date.now,
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  requireInTime(lateMs) {
    if (lateMs > LATE_MS) throw new TooBusy("the machine is too busy to tell; try again");
  },
};

/** Time that passes only while a story sleeps, for subjects that take a clock: nothing can be late. */
export function virtualTime(): Time {
  let now = 1_700_000_000_000;
  return {
    clock: () => now,
    now: () => now,
    async sleep(ms) {
      now += Math.ceil(ms);
    },
    requireInTime() {},
  };
}
