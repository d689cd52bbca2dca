import type { KeyContext } from "../identity/key-source.ts";
import { createKeyHasher, createPartitionKeys, type KeyHasher } from "../identity/key-hasher.ts";
import { createEmitter } from "../observe/emitter.ts";
import type { EventListener, EventType } from "../observe/events.ts";
import { AccessList } from "./access-list.ts";
import { checkOptions, type CheckedOptions } from "./check-options.ts";
import { DeclaredPolicies } from "./declared-policies.ts";
import { DelayQueue } from "./delay-queue.ts";
import { Gates } from "./gates.ts";
import { checkHeaderOptions, type HeaderSettings } from "./headers/settings.ts";
import type { FrameworkTraits } from "./http-limiter.ts";
import type { RateLimitOptions } from "./options.ts";
import { Reports } from "./reports.ts";
import { settlementOf, type Settlement } from "./settlement.ts";

/** Everything that a limiter for HTTP is made of, checked and ready. */
export class LimiterParts<Raw, Class extends string = string, Res = unknown> {
  readonly options: RateLimitOptions<Raw, Class, Res>;
  readonly checked: CheckedOptions;
  readonly headers: HeaderSettings;
  readonly declared: DeclaredPolicies<Raw>;
  /** `undefined` when everybody is counted. */
  readonly gates: Gates<Raw> | undefined;
  readonly settlement: Settlement | undefined;
  readonly delays: DelayQueue;
  readonly hasher: KeyHasher | undefined;
  readonly partitionKeys: ((policy: string, key: string) => string) | undefined;
  readonly reports: Reports<Raw>;
  readonly #emit: EventListener;

  /** @throws ConfigError for every option that is wrong. */
  constructor(options: RateLimitOptions<Raw, Class, Res>, traits: FrameworkTraits) {
    this.options = options;
    this.checked = checkOptions(options);
    this.headers = checkHeaderOptions(options.headers);
    this.#emit = createEmitter(options.onEvent);
    this.reports = new Reports(options);
    const { name, secrets, identityTimeoutMs, maxDelayed } = this.checked;
    const context: KeyContext = {
      limiter: name,
      proxyHint: traits.proxyHint,
      timeoutMs: identityTimeoutMs,
      failed: (type, kind, error) => this.event(type, error, { kind }),
      warn: warnOnce(),
    };
    this.gates = gatesOf(options, identityTimeoutMs, (error) => this.event("skip-failed", error));
    this.declared = new DeclaredPolicies(options as RateLimitOptions<Raw>, name, context, {
      onDecision: this.reports.onDecision,
      secret: secrets[0],
    });
    this.settlement = settlementOf(options as RateLimitOptions<Raw>);
    this.delays = new DelayQueue(maxDelayed);
    this.hasher = createKeyHasher({ secrets, hashKeys: options.hashKeys ?? false });
    this.partitionKeys = secrets[0] === undefined ? undefined : createPartitionKeys(secrets[0]);
  }

  event(type: EventType, error: unknown, detail?: Readonly<Record<string, unknown>>): void {
    this.#emit({ type, limiter: this.checked.name, error, detail });
  }
}

function gatesOf<Raw>(
  options: RateLimitOptions<Raw, string, never>,
  timeoutMs: number,
  failed: (error: unknown) => void,
): Gates<Raw> | undefined {
  const { skip, skipPreflight = false, skipNotFound = false } = options;
  const allow = options.allow === undefined ? undefined : new AccessList("allow", options.allow);
  const deny = options.deny === undefined ? undefined : new AccessList("deny", options.deny);
  if (skip === undefined && !skipPreflight && !skipNotFound && allow === undefined && deny === undefined)
    return undefined;
  return new Gates<Raw>({
    allow,
    deny,
    skip,
    skipPreflight,
    skipNotFound,
    timeoutMs,
    failed,
  });
}

function warnOnce(): (code: string, message: string) => void {
  const warned = new Set<string>();
  return (code, message) => {
    if (warned.has(code)) return;
    warned.add(code);
    process.emitWarning(message, { code });
  };
}
