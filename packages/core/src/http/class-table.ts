import { ConfigError } from "../domain/errors.ts";
import { requireInteger, requireKnownOptions } from "../domain/options.ts";
import type { ClassOptions, HttpPolicy, PolicyShorthand } from "./options.ts";
import { policyNameOf } from "./policy-name.ts";
import { requireClassName, type PolicyTable } from "./policy-table.ts";

/** The largest cost of one request. */
const MAX_COST = 2 ** 31;

/** One policy asked for a class. */
export interface PlanEntry {
  /** Index among the limiter's policies. */
  readonly policy: number;
  /** Index among the limiter's key sources. */
  readonly source: number;
  readonly cost: number;
}

/** What a request of one class is charged. */
export interface ClassPlan {
  /** `undefined` for requests without a class. */
  readonly name: string | undefined;
  readonly cost: number;
  readonly entries: readonly PlanEntry[];
  /** Whether it asks every policy of the limiter, with one key and one cost; then one ask says all. */
  readonly uniform: boolean;
}

const SHORTHAND_OPTIONS: readonly (keyof PolicyShorthand)[] = [
  "limit",
  "window",
  "algorithm",
  "burst",
  "delayAfter",
  "fallbackLimit",
  "mode",
];
const CLASS_OPTIONS: readonly string[] = [...SHORTHAND_OPTIONS, "cost", "policies", "key"];

/** The cost classes of a limiter. */
export class ClassTable<Raw> {
  readonly #costs = new Map<string, number>();
  readonly #policies: PolicyTable<Raw>;
  #plans = new Map<string | undefined, ClassPlan>();

  constructor(policies: PolicyTable<Raw>) {
    this.#policies = policies;
  }

  get names(): readonly string[] {
    return [...this.#costs.keys()];
  }

  /** The dearest cost of any class; at least 1, what a request without one costs. */
  get dearestCost(): number {
    return Math.max(1, ...this.#costs.values());
  }

  /** Declares a name and its cost, so that policies may refer to it. */
  declare(name: string, options: number | ClassOptions<Raw>, where: string): void {
    if (name === "") throw new ConfigError("ERR_AFORO_INVALID_OPTION", `"${where}" needs a name that is not empty`);
    if (typeof options !== "number") requireKnownOptions(where, options, CLASS_OPTIONS);
    const cost = typeof options === "number" ? options : ((options as ClassOptions<Raw>).cost ?? 1);
    this.#costs.set(name, requireInteger(typeof options === "number" ? where : `${where}.cost`, cost, 0, MAX_COST));
  }

  /** Adds the policies of a declared class. */
  addPolicies(name: string, options: number | ClassOptions<Raw>, where: string): void {
    if (typeof options === "number") return;
    const own = shorthandPolicy(options, policyNameOf(name), where);
    if (own !== undefined) this.#policies.add(own, where, this.names, name);
    for (const [index, policy] of (options.policies ?? []).entries())
      this.#policies.add(policy, `${where}.policies[${index}]`, this.names, name);
  }

  /** Makes the plans anew. @throws ConfigError for a class that a policy can never admit. */
  plan(): void {
    this.#plans = new Map([undefined, ...this.names].map((name) => [name, this.#planOf(name)]));
  }

  planOf(name: string | undefined): ClassPlan | undefined {
    return this.#plans.get(name);
  }

  /** What an unknown class counts as. */
  get dearest(): ClassPlan {
    let dearest = this.#plans.get(undefined) as ClassPlan;
    for (const plan of this.#plans.values()) if (plan.name !== undefined && plan.cost >= dearest.cost) dearest = plan;
    return dearest;
  }

  require(name: unknown, where: string): string {
    return requireClassName(where, name, this.names);
  }

  #planOf(name: string | undefined): ClassPlan {
    const cost = name === undefined ? 1 : (this.#costs.get(name) as number);
    const entries: PlanEntry[] = [];
    for (const [index, row] of this.#policies.rows.entries()) {
      if (row.classes !== undefined && (name === undefined || !row.classes.has(name))) continue;
      // A limit of 0 is meant to admit nothing; any other that never admits a class is a mistake.
      if (row.capacity !== undefined && row.capacity > 0 && cost > row.capacity) {
        throw new ConfigError(
          "ERR_AFORO_COST_ABOVE_LIMIT",
          `class "${name}" costs ${cost}, but policy "${row.policy.name}" admits at most ${row.capacity} at once, so it could never be admitted; lower the cost, raise the limit, or give the policy "only"`,
        );
      }
      entries.push({ policy: index, source: row.source, cost });
    }
    const [first] = entries;
    const uniform =
      first !== undefined &&
      entries.length === this.#policies.rows.length &&
      entries.every((entry) => entry.source === first.source);
    return { name, cost, entries, uniform };
  }
}

/** The one policy that `limit` stands for; `undefined` where it is left out. */
export function shorthandPolicy<Raw>(
  options: PolicyShorthand<Raw> & Pick<ClassOptions<Raw>, "policies" | "key">,
  name: string,
  where: string,
): HttpPolicy<Raw> | undefined {
  const given = SHORTHAND_OPTIONS.filter((option) => options[option] !== undefined);
  if (options.limit === undefined) {
    if (given.length === 0) return undefined;
    throw new ConfigError("ERR_AFORO_MISSING_OPTION", `"${given[0]}" of ${where} goes with "limit", which is missing`);
  }
  if (options.policies !== undefined) {
    throw new ConfigError(
      "ERR_AFORO_CONFLICTING_OPTIONS",
      `"limit" and "policies" of ${where} exclude each other: "limit" stands for a single policy`,
    );
  }
  const shorthand = Object.fromEntries(given.map((option) => [option, options[option]])) as unknown as Omit<
    HttpPolicy<Raw>,
    "name"
  >;
  return { ...shorthand, name, ...(options.key === undefined ? {} : { key: options.key }) };
}
