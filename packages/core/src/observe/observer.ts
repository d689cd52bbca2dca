import type { Decision } from "../domain/decision.ts";
import type { Check } from "../domain/store.ts";
import { decisionChannel, eventChannel, responseChannel, storeChannel } from "./channels.ts";
import { recordOf } from "./decision-record.ts";
import type { EventListener } from "./events.ts";
import type { KeyDigest } from "./key-digest.ts";
import { NearLimit } from "./near-limit.ts";
import { quietly } from "./quietly.ts";
import type { DecisionRecord } from "./records.ts";
import type { Sampler } from "./sampler.ts";

/** Told of decisions; what it throws is swallowed. @param context - what limit functions are given. */
export type DecisionListener<C = unknown> = (record: DecisionRecord, context: C) => void;

/** What an {@link Observer} is made of. */
export interface ObserverOptions<C> {
  readonly limiter: string;
  readonly keys: KeyDigest;
  readonly sampler: Sampler;
  readonly onDecision: DecisionListener<C> | undefined;
  readonly nearLimit: number;
  readonly emit: EventListener;
  /** Whether `emit` has a listener of its own besides the channel. */
  readonly heard: boolean;
}

/** What is known of a decision before it is made. Exists only when somebody will be told. */
export interface Watch<C> {
  readonly class: string | undefined;
  readonly context: C;
  readonly raised: boolean;
  /** `performance.now()`; `undefined` when the store will not be asked. */
  readonly startedAt: number | undefined;
  /** Drawn for `onDecision`. */
  readonly lot: number | undefined;
}

/**
 * Tells of one limiter's decisions. While nobody listens a decision costs it one question; records are made and keys
 * hashed only for decisions that somebody gets to see.
 */
export class Observer<C> {
  readonly keys: KeyDigest;
  readonly #limiter: string;
  readonly #sampler: Sampler;
  readonly #onDecision: DecisionListener<C> | undefined;
  readonly #ratio: number;
  readonly #near: NearLimit;
  readonly #emit: EventListener;
  readonly #heard: boolean;

  constructor(options: ObserverOptions<C>) {
    this.keys = options.keys;
    this.#limiter = options.limiter;
    this.#sampler = options.sampler;
    this.#onDecision = options.onDecision;
    this.#ratio = options.nearLimit;
    this.#near = new NearLimit(options.nearLimit);
    this.#emit = options.emit;
    this.#heard = options.heard;
  }

  /** Whether nobody at all listens at the moment; asked for every decision. */
  get silent(): boolean {
    return (
      !this.#heard &&
      this.#onDecision === undefined &&
      !decisionChannel.hasSubscribers &&
      !responseChannel.hasSubscribers &&
      !storeChannel.hasSubscribers &&
      !eventChannel.hasSubscribers
    );
  }

  /** Whether somebody wants to know of keys that near their limit. */
  get awaitsNearLimit(): boolean {
    return this.#heard || eventChannel.hasSubscribers;
  }

  /** Begins to watch a decision, unless nobody will be told of it. @param earlier - what was told of the one that it replaces. */
  begin(
    className: string | undefined,
    context: C,
    storeDown: boolean,
    earlier?: DecisionRecord | "untold",
  ): Watch<C> | undefined {
    const heard = decisionChannel.hasSubscribers || responseChannel.hasSubscribers;
    // Who was told of the earlier one is told of what replaces it.
    const follows = !heard && typeof earlier === "object";
    const lot = this.#onDecision === undefined ? undefined : follows ? 0 : this.#sampler.draw();
    if (lot === undefined && !heard && !storeChannel.hasSubscribers) return undefined;
    return {
      class: className,
      context,
      raised: earlier !== undefined,
      startedAt: storeDown ? undefined : performance.now(),
      lot,
    };
  }

  /** Tells of a decision that was watched; answers the record, if somebody got or will get it. */
  decided(
    decision: Decision,
    checks: readonly Check[],
    watch: Watch<C>,
    storeDown: boolean,
  ): DecisionRecord | undefined {
    const storeMs = watch.startedAt === undefined ? undefined : performance.now() - watch.startedAt;
    const picked = watch.lot !== undefined && this.#sampler.wins(watch.lot, decision.allowed);
    if (!picked && !decisionChannel.hasSubscribers && !responseChannel.hasSubscribers) return undefined;
    const circumstances = { limiter: this.#limiter, class: watch.class, raised: watch.raised, storeDown, storeMs };
    const record = recordOf(decision, checks, circumstances, this.keys, this.#ratio);
    if (decisionChannel.hasSubscribers) decisionChannel.publish(record);
    if (picked) this.#tell(record, watch.context);
    return record;
  }

  /** Tells of a key that this decision took near its limit. Only when {@link awaitsNearLimit}. */
  nearing(decision: Decision, checks: readonly Check[]): void {
    const crossed = this.#near.crossed(decision, checks);
    if (crossed === undefined) return;
    const { policy, check } = crossed;
    const { capacity, remaining, resetMs } = policy;
    this.#emit({
      type: "near-limit",
      limiter: this.#limiter,
      policy: policy.name,
      detail: { ...this.keys.of(check.stateKey), capacity, remaining, resetMs },
    });
  }

  #tell(record: DecisionRecord, context: C): void {
    quietly(() => this.#onDecision?.(record, context));
  }
}
