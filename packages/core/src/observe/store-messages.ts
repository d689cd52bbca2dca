import type { Check } from "../domain/store.ts";
import { storeChannel } from "./channels.ts";
import { roundToMicroseconds } from "./decision-record.ts";
import type { KeyDigest } from "./key-digest.ts";
import type { PenaltyMessage, StoreMessage, StoreVerb } from "./records.ts";

/** The name of the store in messages, and whose it is. */
export interface StoreName {
  readonly limiter: string;
  readonly store: string;
}

/** When a call began, if somebody listens to calls. */
export function callStart(): number | undefined {
  return storeChannel.hasSubscribers ? performance.now() : undefined;
}

/** Tells how a call ended; nothing when nobody listened at its start. @param answer - what the store answered, if it did. */
export function callEnded(
  { limiter, store }: StoreName,
  verb: StoreVerb,
  startedAt: number | undefined,
  answer: unknown,
  error: unknown,
): void {
  if (startedAt === undefined) return;
  const durationMs = roundToMicroseconds(performance.now() - startedAt);
  const source =
    (answer as { readonly source?: unknown } | undefined)?.source === "deny-cache" ? "deny-cache" : "store";
  publish({ type: "call", limiter, store, verb, durationMs, source, error: errorCode(error) });
}

/** Tells that the breaker opened or closed. */
export function storeChanged({ limiter, store }: StoreName, type: "down" | "up", error: unknown): void {
  if (storeChannel.hasSubscribers) publish({ type, limiter, store, error: errorCode(error) });
}

/** Tells what was done to a key by hand. */
export function penalized(
  { limiter, store }: StoreName,
  type: PenaltyMessage["type"],
  checks: readonly Check[],
  digest: KeyDigest,
  ms?: number,
): void {
  if (!storeChannel.hasSubscribers) return;
  // A policy with several windows has a state in each, all of one key.
  const byPolicy = new Map(checks.map((check) => [check.policy.name, check.stateKey]));
  const keys = [...byPolicy].map(([policy, key]) => ({ policy, ...digest.of(key) }));
  const amount =
    type === "charge" ? { cost: Math.max(0, ...checks.map((check) => check.cost)) } : ms === undefined ? {} : { ms };
  publish({ type, limiter, store, keys, ...amount });
}

/** What an error may be known by: messages of clients can quote a command with its keys. */
function errorCode(error: unknown): string | undefined {
  if (error === undefined) return undefined;
  const { code, name } = (error ?? {}) as { readonly code?: unknown; readonly name?: unknown };
  if (typeof code === "string") return code;
  return typeof name === "string" ? name : "Error";
}

function publish(message: StoreMessage): void {
  storeChannel.publish(message);
}
