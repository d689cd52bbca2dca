import { randomUUID } from "node:crypto";
import { checkPolicy, type Policy } from "../domain/policy.ts";
import type { ResolvedPolicy } from "../domain/resolved-policy.ts";
import type { Clock } from "../domain/clock.ts";
import type { PolicyDecision } from "../domain/decision.ts";
import type { Charge, Check, MaybePromise, Refund, Reply, Store } from "../domain/store.ts";
import { CASE_EPOCH, manualClock } from "./manual-clock.ts";

/** Makes one empty store that reads this clock; it may share a server with others, since every test uses names of its own. */
export type StoreFactory = (clock: Clock) => MaybePromise<Store>;

/** What a kind of store can't do, or should do less often. */
export interface Capabilities {
  /** Whether checks on different state keys are charged in one step; a Cluster compensates instead. @defaultValue true */
  readonly atomicAcrossKeys?: boolean;
  /** How many random histories each property is tried with. @defaultValue 100 */
  readonly runs?: number;
}

/** What a policy of a test needs; it has a name of its own, and 10 units a minute unless told otherwise. */
type PolicyOptions = Partial<Omit<Policy, "limit">> & { readonly limit?: number };

/** One store, its clock and short ways to ask it. */
export interface Scenario {
  readonly store: Store;
  /** Goes to `seconds` after the epoch of the acceptance cases. */
  at(seconds: number): void;
  /** Goes on, or back, by so many ms. */
  wait(ms: number): void;
  /** `limiter` keeps apart what would have equal names; leave it out, and give two policies one `name`, to change a limit. */
  policy(options?: PolicyOptions): ResolvedPolicy;
  consume(policy: ResolvedPolicy, cost?: number, stateKey?: string): Promise<PolicyDecision>;
  peek(policy: ResolvedPolicy, stateKey?: string): Promise<PolicyDecision>;
  charge(policy: ResolvedPolicy, cost: number, stateKey?: string): Promise<PolicyDecision>;
  /** Gives back what `decision` charged, or a part of it. */
  refund(policy: ResolvedPolicy, decision: PolicyDecision, cost?: number, stateKey?: string): Promise<void>;
  raise(policy: ResolvedPolicy, decision: PolicyDecision, cost: number, stateKey?: string): Promise<PolicyDecision>;
}

/** The state key of tests that need only one. */
export const KEY = "somebody";

export async function newScenario(createStore: StoreFactory): Promise<Scenario> {
  const clock = manualClock();
  const store = await createStore(clock);
  const limiter = `contract-${randomUUID()}`;
  let policies = 0;

  return {
    store,
    at: (seconds) => clock.set(CASE_EPOCH + Math.round(seconds * 1_000)),
    wait: (ms) => clock.advance(ms),
    policy(options = {}) {
      const { limit = 10, window = 60_000, name = `p${policies++}`, ...rest } = options;
      return checkPolicy(limiter, { limit, window, name, ...rest }, "policy").fixed as ResolvedPolicy;
    },
    consume: async (policy, cost = 1, stateKey = KEY) => only(await store.consume([{ policy, stateKey, cost }])),
    peek: async (policy, stateKey = KEY) => only(await store.peek([{ policy, stateKey, cost: 0 }])),
    charge: async (policy, cost, stateKey = KEY) => only(await store.charge([{ policy, stateKey, cost }])),
    async refund(policy, decision, cost = decision.cost, stateKey = KEY) {
      await store.refund(refundsOf([{ policy, stateKey, cost }], [decision]));
    },
    async raise(policy, decision, cost, stateKey = KEY) {
      return only(await store.raise([{ policy, stateKey, cost, earlier: chargeOf(decision) }]));
    },
  };
}

function only({ policies }: Reply): PolicyDecision {
  if (policies.length !== 1) throw new Error(`one check was answered by ${policies.length} decisions`);
  return policies[0] as PolicyDecision;
}

/** What a decision charged, with its receipt as it comes back from wherever it was kept. */
export function chargeOf({ cost, receipt }: PolicyDecision): Charge | undefined {
  return receipt === undefined ? undefined : { cost, receipt: JSON.parse(JSON.stringify(receipt)) as string | number };
}

/** The refunds that give `cost` of each check back, as far as it was charged. */
export function refundsOf(checks: readonly Check[], decisions: readonly PolicyDecision[]): Refund[] {
  return checks.flatMap(({ policy, stateKey, cost }, i) => {
    const charge = chargeOf(decisions[i] as PolicyDecision);
    return charge === undefined
      ? []
      : [{ policy, stateKey, cost: Math.min(cost, charge.cost), receipt: charge.receipt }];
  });
}
