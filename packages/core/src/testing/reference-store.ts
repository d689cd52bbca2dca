import { newReading, type Reading } from "../algorithms/algorithm.ts";
import { algorithmOf } from "../algorithms/index.ts";
import { viewState } from "../algorithms/state-view.ts";
import { readClock, type Clock } from "../domain/clock.ts";
import { policyDecision, type PolicyDecision } from "../domain/decision.ts";
import type { ResolvedPolicy } from "../domain/resolved-policy.ts";
import type { Check, RaiseCheck, Refund, Reply, SyncStore } from "../domain/store.ts";

/** One check while it is decided. */
interface Question {
  readonly check: Check;
  readonly id: string;
  readonly cells: Float64Array;
  readonly reading: Reading;
  readonly blockedMs: number;
  /** Whether this policy alone admits. */
  readonly fits: boolean;
}

/**
 * The store contract over the pure algorithms and nothing else: no eviction, no expiry, no haste.
 * Every other store is compared with it, number by number.
 */
export function referenceStore(clock: Clock): SyncStore {
  const states = new Map<string, Float64Array>();
  const blocks = new Map<string, number>();

  const consume = (checks: readonly Check[]): Reply => {
    const now = readClock(clock);
    const questions = checks.map((check) => ask(check, now));
    const allowed = questions.every(({ check, fits }) => fits || check.policy.shadow);
    const policies = questions.map((question) => {
      const { check, fits } = question;
      return check.cost > 0 && fits && (allowed || check.policy.shadow) ? take(question) : report(question);
    });
    return { at: now, allowed, policies, source: "store" };
  };

  const peek = (checks: readonly Check[]): Reply => consume(checks.map((check) => ({ ...check, cost: 0 })));

  const refund = (refunds: readonly Refund[]): void => {
    const now = readClock(clock);
    for (const { policy, stateKey, receipt, cost } of refunds) {
      const cells = states.get(policy.space + stateKey);
      if (cells !== undefined) algorithmOf(policy.algorithm).refund(policy, cells, 0, now, Number(receipt), cost);
    }
  };

  function cellsOf(id: string, { algorithm }: ResolvedPolicy): Float64Array {
    return states.get(id) ?? new Float64Array(algorithmOf(algorithm).width);
  }

  function ask(check: Check, now: number): Question {
    const { policy, stateKey, cost } = check;
    const algorithm = algorithmOf(policy.algorithm);
    const id = policy.space + stateKey;
    const cells = cellsOf(id, policy);
    const reading = newReading();
    algorithm.read(policy, cells, 0, now, reading);
    const blockedMs = Math.max(0, (blocks.get(id) ?? 0) - now);
    return {
      check,
      id,
      cells,
      reading,
      blockedMs,
      fits: blockedMs === 0 && (cost === 0 || algorithm.admits(policy, reading, cost)),
    };
  }

  function take(question: Question): PolicyDecision {
    const { check, id, cells, reading } = question;
    const { policy, cost } = check;
    const algorithm = algorithmOf(policy.algorithm);
    const delayMs = algorithm.delayMs(policy, reading, cost);
    algorithm.take(policy, reading, cost);
    const written = algorithm.write(policy, reading, cells, 0);
    states.set(id, written);
    return { ...report({ ...question, cells: written }), delayMs, receipt: algorithm.receipt(reading) };
  }

  function report({ check, cells, reading, blockedMs, fits }: Question): PolicyDecision {
    const { policy, cost } = check;
    const algorithm = algorithmOf(policy.algorithm);
    const enough = cost === 0 || fits || algorithm.admits(policy, reading, cost);
    const quotaMs = enough ? 0 : algorithm.retryAfterMs(policy, reading, cost, cells, 0);
    return policyDecision(policy, cost, {
      allowed: fits,
      // A blocked key has nothing to admit, and has its capacity back no sooner than the block ends.
      remaining: blockedMs > 0 ? 0 : algorithm.remaining(policy, reading),
      resetMs: Math.max(blockedMs, algorithm.resetMs(policy, reading, cells, 0)),
      retryAfterMs: Math.max(blockedMs, quotaMs),
      delayMs: 0,
      blockedMs,
      receipt: undefined,
    });
  }

  return {
    sync: true,
    kind: "reference",
    consume,
    peek,
    refund,
    raise(checks: readonly RaiseCheck[]) {
      refund(checks.flatMap(({ earlier, ...check }) => (earlier === undefined ? [] : [{ ...check, ...earlier }])));
      return consume(checks);
    },
    charge(checks) {
      const now = readClock(clock);
      for (const { check, id, cells, reading } of checks.map((each) => ask(each, now))) {
        if (check.cost === 0) continue;
        const algorithm = algorithmOf(check.policy.algorithm);
        algorithm.owe(check.policy, reading, check.cost);
        states.set(id, algorithm.write(check.policy, reading, cells, 0));
      }
      return peek(checks);
    },
    reset(checks) {
      for (const { policy, stateKey } of checks) {
        states.delete(policy.space + stateKey);
        blocks.delete(policy.space + stateKey);
      }
    },
    block(checks, ms) {
      const until = readClock(clock) + ms;
      for (const { policy, stateKey } of checks) {
        if (ms === 0) blocks.delete(policy.space + stateKey);
        else blocks.set(policy.space + stateKey, until);
      }
    },
    inspect(checks) {
      const now = readClock(clock);
      return checks.map(({ policy, stateKey }) => {
        const id = policy.space + stateKey;
        return viewState(policy, cellsOf(id, policy), 0, now, blocks.get(id) ?? 0);
      });
    },
    close() {},
  };
}
