import { memoryStore, type Clock, type SyncStore } from "@aforo/core";

/**
 * The limiter's memory store, with bounds far above the callers of any log: an evicted state, or a log that may not grow, would
 * count otherwise than a server that has the room.
 */
export function roomyStore(clock: Clock): SyncStore {
  return memoryStore({ clock, maxKeys: 50_000_000, maxLogEntries: 500_000_000 });
}
