import type { Clock } from "../domain/clock.ts";
import { requireFunction, requireInteger, requireKnownOptions } from "../domain/options.ts";

/** Options of `memoryStore`. */
export interface MemoryStoreOptions {
  /**
   * Most states and blocks held at once, at least 1. When full, the stale and then the least used make room for new
   * keys; while all that are looked at are at their limit, new keys share up to 4,096 more states for each policy.
   * @defaultValue 1,000,000
   */
  readonly maxKeys?: number;
  /**
   * Most entries that memory is set aside for in all sliding logs together, at least 1,000, at 16 bytes each.
   * A log that may not grow counts its newest units for longer: it rejects early, never late.
   * @defaultValue 4,000,000
   */
  readonly maxLogEntries?: number;
  /** Epoch ms. Left out, wall time at first and monotonic from there. */
  readonly clock?: Clock;
}

/** {@link MemoryStoreOptions} with nothing left out but the clock. */
interface CheckedOptions {
  readonly maxKeys: number;
  readonly maxLogEntries: number;
  readonly clock: Clock | undefined;
}

/**
 * Fills the defaults in.
 *
 * @throws {@link ConfigError} for an unknown option, or a value outside its range.
 */
export function checkOptions(options: MemoryStoreOptions): CheckedOptions {
  const { maxKeys = 1_000_000, maxLogEntries = 4_000_000, clock } = options ?? {};
  requireKnownOptions("memoryStore", options, ["maxKeys", "maxLogEntries", "clock"]);
  requireInteger("maxKeys", maxKeys, 1);
  requireInteger("maxLogEntries", maxLogEntries, 1_000);
  if (clock !== undefined) requireFunction("clock", clock);
  return { maxKeys, maxLogEntries, clock };
}
