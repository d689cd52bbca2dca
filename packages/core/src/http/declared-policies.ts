import { ConfigError, got } from "../domain/errors.ts";
import type { Store } from "../domain/store.ts";
import { ip } from "../identity/ip.ts";
import type { KeyContext, KeySource } from "../identity/key-source.ts";
import { prepareKey, requireKeySource } from "../identity/prepare.ts";
import type { RequestView } from "../identity/request-view.ts";
import { customaryUserKey } from "../identity/user.ts";
import { withAddress, type SureKey } from "../identity/with-address.ts";
import { createLimiter } from "../limiter/create-limiter.ts";
import type { LimiterOptions } from "../limiter/limiter-options.ts";
import type { Limiter } from "../limiter/limiter.ts";
import { memoryStore } from "../memory/memory-store.ts";
import type { DecisionListener } from "../observe/observer.ts";
import { ClassTable, shorthandPolicy } from "./class-table.ts";
import type { ClassOptions, RateLimitOptions } from "./options.ts";
import { PolicyTable } from "./policy-table.ts";

/** The policies and classes of a limiter, those that routes declare included, and the limiter over all of them. */
export class DeclaredPolicies<Raw> {
  readonly classes: ClassTable<Raw>;
  /** How to read each key source of the policies. */
  keys: readonly SureKey<Raw>[] = [];
  readonly #policies: PolicyTable<Raw>;
  readonly #limiterOptions: Omit<LimiterOptions<RequestView<Raw>>, "policies" | "dearestCost">;
  readonly #context: KeyContext;
  readonly #ownStore: Store | undefined;
  readonly #declared = new WeakMap<object, string>();
  #limiter: Limiter<boolean, RequestView<Raw>> | undefined;
  #serving = false;

  /** @throws ConfigError for every policy or class that is wrong. */
  constructor(options: RateLimitOptions<Raw>, name: string, context: KeyContext, observing: Observing<Raw>) {
    const key: KeySource<Raw> = options.key === undefined ? customaryUserKey : requireKeySource("key", options.key);
    this.#policies = new PolicyTable(name, key);
    this.classes = new ClassTable(this.#policies);
    this.#context = context;
    this.#ownStore = options.store === undefined ? memoryStore() : undefined;
    this.#limiterOptions = limiterOptions(options, name, options.store ?? (this.#ownStore as Store), observing);
    this.#declare(options, name);
    this.#build();
  }

  /** @throws ConfigError while no policy is declared at all. */
  get limiter(): Limiter<boolean, RequestView<Raw>> {
    if (this.#limiter !== undefined) return this.#limiter;
    throw new ConfigError("ERR_AFORO_MISSING_OPTION", `"policies" is empty, and no route has declared a policy yet`);
  }

  /** What requests are decided by; from here on nothing more can be declared. `undefined` without any policy. */
  serve(): Limiter<boolean, RequestView<Raw>> | undefined {
    this.#serving = true;
    return this.#limiter;
  }

  /** Declares a class that a route wrote in place of a name. */
  define(options: ClassOptions<Raw>, where: string): string {
    const known = this.#declared.get(options);
    if (known !== undefined) return known;
    if (this.#serving) {
      throw new ConfigError(
        "ERR_AFORO_CONFLICTING_OPTIONS",
        `"${where}" declares a policy after the first request was decided; declare routes before`,
      );
    }
    let name = where;
    for (let count = 2; this.classes.names.includes(name); count++) name = `${where} (${count})`;
    this.classes.declare(name, options, where);
    this.classes.addPolicies(name, options, where);
    this.#declared.set(options, name);
    this.#build();
    return name;
  }

  async close(): Promise<void> {
    await this.#limiter?.close();
    await this.#ownStore?.close();
  }

  #declare(options: RateLimitOptions<Raw>, name: string): void {
    const { classes = {}, policies } = options;
    if (typeof classes !== "object" || classes === null || Array.isArray(classes)) {
      throw new ConfigError(
        "ERR_AFORO_INVALID_OPTION",
        `"classes" must be an object of costs by class name, ${got(classes)}`,
      );
    }
    const entries = Object.entries(classes as Record<string, number | ClassOptions<Raw>>);
    for (const [className, each] of entries) this.classes.declare(className, each, `classes.${className}`);
    if (options.defaultClass !== undefined) this.classes.require(options.defaultClass, "defaultClass");
    const { key: _, ...shorthand } = options;
    const single = shorthandPolicy<Raw>(shorthand, name, "rateLimit");
    if (single !== undefined) this.#policies.add(single, "rateLimit", this.classes.names);
    if (policies !== undefined && !Array.isArray(policies)) {
      throw new ConfigError("ERR_AFORO_INVALID_OPTION", `"policies" must be an array of policies, ${got(policies)}`);
    }
    for (const [index, policy] of (policies ?? []).entries())
      this.#policies.add(policy, `policies[${index}]`, this.classes.names);
    for (const [className, each] of entries) this.classes.addPolicies(className, each, `classes.${className}`);
    if (this.#policies.rows.length === 0 && policies === undefined) {
      throw new ConfigError("ERR_AFORO_MISSING_OPTION", `"limit" is required, such as "100/minute", or "policies"`);
    }
  }

  #build(): void {
    this.classes.plan();
    const { rows, sources } = this.#policies;
    if (rows.length === 0) return;
    void this.#limiter?.close();
    this.#limiter = createLimiter<RequestView<Raw>>({
      ...this.#limiterOptions,
      policies: rows.map((row) => row.policy),
      dearestCost: this.classes.dearestCost,
    });
    const address = prepareKey<Raw>(ip(), this.#context);
    this.keys = sources.map((source) => withAddress(source, address, this.#context));
  }
}

const PASSED_ON = [
  "shared",
  "onStoreError",
  "storeTimeoutMs",
  "limitTimeoutMs",
  "breakerThreshold",
  "probeIntervalMs",
  "instances",
  "sample",
  "nearLimit",
  "onEvent",
] as const;

/** What the limiter tells of decisions, and the secret of its records. */
interface Observing<Raw> {
  readonly onDecision: DecisionListener<RequestView<Raw> | undefined> | undefined;
  readonly secret: string | undefined;
}

function limiterOptions<Raw>(
  options: RateLimitOptions<Raw>,
  name: string,
  store: Store,
  { onDecision, secret }: Observing<Raw>,
): Omit<LimiterOptions<RequestView<Raw>>, "policies"> {
  const given = PASSED_ON.filter((option) => options[option] !== undefined).map((option) => [option, options[option]]);
  return {
    ...(Object.fromEntries(given) as Partial<LimiterOptions>),
    name,
    store,
    ...(onDecision === undefined ? {} : { onDecision }),
    ...(secret === undefined ? {} : { secret }),
  };
}
