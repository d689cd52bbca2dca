import { setImmediate } from "node:timers";
import type { Clock } from "../domain/clock.ts";

/** A time that was read serves so many calls at most, so that a long synchronous loop sees time pass. */
const USES = 32;

/** Wall time that leads by more is believed: the machine slept, and the monotonic clock with it. */
const LEAD_MS = 1_000;

/** Numbers as large as epoch time hold no smaller fractions of a ms; without it a sum that is whole could fall below. */
const ROUNDING_MS = 0.001;

/** To tell the clock from one that a test has put in its place. */
const nativeNow: () => number = Date.now;

/** What the time is made of. */
export interface ClockSources {
  /** Epoch ms. */
  wall(): number;
  /** Ms since any moment; never goes back. */
  monotonic(): number;
  /** Calls back once the current turn of the event loop is over. */
  afterTurn(callback: () => void): void;
  /** Whether this is the time of the machine, which may serve several calls, and not one that a test has made. */
  isReal(): boolean;
}

// Looked up at each call, so that fake timers are seen. They replace `setImmediate` too, but not this one,
// which therefore goes on telling turns apart while they stand still. It is not `unref`ed: it ends with
// the turn anyway, and one that doesn't count could wait behind a poll for as long as that blocks.
const PROCESS: ClockSources = {
  wall: () => Date.now(),
  monotonic: () => performance.now(),
  afterTurn: (callback) => void setImmediate(callback),
  isReal: () => Date.now === nativeNow,
};

/**
 * The time in whole epoch ms: anchored to wall time once, monotonic from there, and anchored anew when
 * wall time leads by more than a second, or fake timers come or go. Read once in each turn of the event loop, and after every 32 calls.
 */
export function turnClock(sources: ClockSources = PROCESS): Clock {
  let offset = sources.wall() - sources.monotonic();
  let real = sources.isReal();
  let time = 0;
  let usesLeft = 0;
  let waiting = false;
  const endTurn = (): void => {
    usesLeft = 0;
    waiting = false;
  };

  return () => {
    const isReal = sources.isReal();
    if (usesLeft > 0 && isReal) {
      usesLeft--;
      return time;
    }
    const monotonic = sources.monotonic();
    const wall = sources.wall();
    if (isReal !== real || wall - (monotonic + offset) > LEAD_MS) {
      offset = wall - monotonic;
      real = isReal;
    }
    time = Math.max(time, Math.floor(monotonic + offset + ROUNDING_MS));
    usesLeft = USES - 1;
    if (!waiting) {
      waiting = true;
      sources.afterTurn(endTurn);
    }
    return time;
  };
}
