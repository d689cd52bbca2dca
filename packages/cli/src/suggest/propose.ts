import { niceAtLeast } from "../stats/distribution.ts";
import { RATES, type Demand } from "./demand.ts";

/** A policy that would hardly ever have rejected a legitimate caller. */
export interface Proposal {
  readonly algorithm: "sliding-window-counter" | "token-bucket";
  /** Units per window. */
  readonly limit: number;
  /** Milliseconds. */
  readonly window: number;
  /** Token bucket only. */
  readonly burst?: number;
  /** The least that the share asks for, before it was rounded up to a number that people like. */
  readonly needed: number;
  /** The most that one caller can get within ten windows. */
  readonly tenWindows: number;
}

/** How callers' demand spreads: the limit that each of them would have needed. */
export interface DemandSpread {
  readonly median: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

const WINDOWS = 10;

/**
 * @param callers - those that a limit must not hurt.
 * @param mayReject - how many of them it may reject all the same.
 */
export function propose(
  demand: Demand,
  callers: Uint32Array,
  mayReject: number,
  window: number,
): { readonly spread: DemandSpread; readonly proposals: readonly Proposal[] } {
  const limits = sorted(callers, (caller) => demand.limitFor(caller));
  const needed = enoughFor(limits, mayReject);
  const limit = niceAtLeast(needed);
  const counter: Proposal = {
    algorithm: "sliding-window-counter",
    limit,
    window,
    needed,
    tenWindows: limit * (WINDOWS + 1),
  };
  const at = (share: number): number => limits[Math.max(0, Math.ceil(share * limits.length) - 1)] ?? 0;
  return {
    spread: { median: at(0.5), p99: at(0.99), p999: at(0.999), max: at(1) },
    proposals: [counter, bestBucket(demand, callers, mayReject, window)],
  };
}

/**
 * Of all pairs of limit and burst that reject no more than may be, the one that lets the least through in ten windows. A bucket
 * that takes longer than that to fill would suit this log, and nobody who comes back later.
 */
function bestBucket(demand: Demand, callers: Uint32Array, mayReject: number, window: number): Proposal {
  const bursts = RATES.map((limit, rate) => {
    const needed = enoughFor(
      sorted(callers, (caller) => demand.burstFor(caller, rate)),
      mayReject,
    );
    const burst = niceAtLeast(needed);
    return { algorithm: "token-bucket", limit, window, burst, needed, tenWindows: burst + WINDOWS * limit } as const;
  });
  const quick = bursts.filter(({ burst, limit }) => burst <= WINDOWS * limit);
  return (quick.length > 0 ? quick : bursts.slice(-1)).reduce((best, each) =>
    each.tenWindows < best.tenWindows ? each : best,
  );
}

function enoughFor(limits: Uint32Array, mayReject: number): number {
  return Math.max(1, limits[limits.length - 1 - mayReject] ?? 1);
}

function sorted(callers: Uint32Array, numberOf: (caller: number) => number): Uint32Array {
  return Uint32Array.from(callers, numberOf).sort();
}
