import { BoundedMap } from "../bounded-map.ts";
import type { Quota } from "../headers/quota.ts";
import { readQuotas } from "../headers/read-quotas.ts";
import type { Time } from "../time.ts";
import type { ResponseLike } from "../transport/fetch-like.ts";
import { Lane, type Waiter } from "./lane.ts";
import { PacedPolicy } from "./paced-policy.ts";

/** A request that the pacer let go. */
export interface Visit {
  /** An answer is there; `undefined` when the request failed without one. */
  answered(response: ResponseLike | undefined, refusedForMs: number | undefined): void;
  /** Nothing more will come of it, with or without an answer. */
  end(): void;
}

const ROUTES_KEPT = 256;
const POLICIES_KEPT = 64;
/** How long the calls to an origin wait for its first answer, which may tell its limits. */
const FIRST_ANSWER_MS = 1000;

/** Lets the calls to one origin go at the rate that its policies admit, first come first served. */
export class OriginPacer {
  readonly #time: Time;
  readonly #lanes = new BoundedMap<string, Lane>(ROUTES_KEPT, (lane) => lane.head === undefined);
  readonly #policies = new BoundedMap<string, PacedPolicy>(POLICIES_KEPT, (policy) => policy.isIdle);
  readonly #createPolicy: () => PacedPolicy;
  /** Policies of the latest answer; a route not seen before is taken to have the same. */
  #latest: readonly PacedPolicy[] = [];
  #answered = false;
  #firstSentAt: number | undefined;
  #inFlight = 0;
  #waiting = 0;
  #alarm: { at: number; cancel: AbortController } | undefined;

  constructor(time: Time, random: () => number, maxDelayMs: number) {
    this.#time = time;
    this.#createPolicy = () => new PacedPolicy(random, maxDelayMs);
  }

  get isIdle(): boolean {
    return this.#inFlight === 0 && this.#waiting === 0;
  }

  /** Waits for the turn of a call; rejects with the signal's reason. */
  enter(route: string, ticket: number, isRetry: boolean, signal: AbortSignal): Promise<Visit> {
    const lane = this.#lanes.getOrCreate(route, () => new Lane());
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        ticket,
        go: () => {
          signal.removeEventListener("abort", stop);
          resolve(this.#visit(lane));
        },
      };
      const stop = (): void => {
        lane.remove(waiter);
        this.#waiting -= 1;
        reject(signal.reason);
        this.#pump();
      };
      signal.addEventListener("abort", stop, { once: true });
      lane.add(waiter, isRetry);
      this.#waiting += 1;
      this.#pump();
    });
  }

  #visit(lane: Lane): Visit {
    const sentAt = this.#time.elapsed();
    const stays = this.#policiesOf(lane).map((policy) => ({ policy, era: policy.sent(sentAt) }));
    this.#inFlight += 1;
    this.#firstSentAt ??= sentAt;
    return {
      answered: (response, refusedForMs) => {
        if (response !== undefined) this.#learn(lane, response, refusedForMs, sentAt);
      },
      end: () => {
        this.#inFlight -= 1;
        if (this.#inFlight === 0) this.#firstSentAt = undefined;
        for (const { policy, era } of stays) policy.settled(era);
        this.#pump();
      },
    };
  }

  #learn(lane: Lane, response: ResponseLike, refusedForMs: number | undefined, sentAt: number): void {
    this.#answered = true;
    const now = this.#time.elapsed();
    const quotas = readQuotas(response.headers, this.#time.wall());
    const learned = quotas.map((quota) => {
      const policy = this.#policies.getOrCreate(keyOf(quota), this.#createPolicy);
      policy.learn(quota, sentAt, now, refusedForMs !== undefined);
      return { policy, remaining: quota.remaining };
    });
    if (refusedForMs !== undefined) {
      if (learned.length === 0)
        learned.push({ policy: this.#policies.getOrCreate("", this.#createPolicy), remaining: 0 });
      const least = Math.min(...learned.map(({ remaining }) => remaining));
      for (const { policy, remaining } of learned) if (remaining === least) policy.refused(refusedForMs, now);
    }
    lane.policies = learned.map(({ policy }) => policy);
    this.#latest = lane.policies;
  }

  #policiesOf(lane: Lane): readonly PacedPolicy[] {
    return lane.policies ?? this.#latest;
  }

  /** Lets go whoever may go now, and sets the alarm for the next. */
  #pump(): void {
    const now = this.#time.elapsed();
    const stuck = new Set<Lane>();
    const taken = new Set<PacedPolicy>();
    let next = Infinity;
    for (let lane = this.#firstLane(stuck); lane !== undefined; lane = this.#firstLane(stuck)) {
      const policies = this.#policiesOf(lane);
      const at = policies.some((policy) => taken.has(policy)) ? Infinity : this.#readyAt(policies, now);
      if (at <= now) {
        const waiter = lane.head!;
        lane.remove(waiter);
        this.#waiting -= 1;
        waiter.go();
        continue;
      }
      // Who comes later must not overtake on a policy that this lane's head waits for.
      for (const policy of policies) taken.add(policy);
      stuck.add(lane);
      next = Math.min(next, at);
    }
    this.#setAlarm(next, now);
  }

  #readyAt(policies: readonly PacedPolicy[], now: number): number {
    if (!this.#answered && this.#inFlight > 0) return Math.max(now, (this.#firstSentAt ?? now) + FIRST_ANSWER_MS);
    return Math.max(now, ...policies.map((policy) => policy.readyAt(now)));
  }

  #firstLane(stuck: ReadonlySet<Lane>): Lane | undefined {
    if (this.#waiting === 0) return undefined;
    let first: Lane | undefined;
    for (const lane of this.#lanes.values()) {
      const ticket = lane.head?.ticket;
      if (ticket === undefined || stuck.has(lane)) continue;
      if (first === undefined || ticket < first.head!.ticket) first = lane;
    }
    return first;
  }

  #setAlarm(at: number, now: number): void {
    if (this.#alarm?.at === at) return;
    this.#alarm?.cancel.abort();
    this.#alarm = undefined;
    if (at === Infinity) return;
    const alarm = { at, cancel: new AbortController() };
    this.#alarm = alarm;
    this.#time.sleep(Math.max(1, Math.ceil(at - now)), alarm.cancel.signal).then(
      () => {
        if (this.#alarm !== alarm) return;
        this.#alarm = undefined;
        this.#pump();
      },
      () => {},
    );
  }
}

/** Without a name, the limit tells policies apart; a client with several keys has several partitions. */
function keyOf({ policy, partition, limit }: Quota): string {
  return JSON.stringify([policy, partition ?? "", policy === "" ? (limit ?? 0) : 0]);
}
