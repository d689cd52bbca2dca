import { readClock, type Clock } from "../domain/clock.ts";
import { ConfigError } from "../domain/errors.ts";
import { parseDuration } from "../domain/duration.ts";
import { requireFunction, requireInteger, requireKnownOptions } from "../domain/options.ts";
import type { MaybePromise } from "../domain/store.ts";
import { callerAddress } from "./caller-address.ts";
import { sha256 } from "./digest.ts";
import { guarded } from "./guard.ts";
import { addressKeys } from "./ip.ts";
import type { KeyContext, KeyExtractor, PreparedKey } from "./key-source.ts";
import { keyText, requireKeyText } from "./key-text.ts";
import type { Id, RequestView } from "./request-view.ts";
import { requireHeaderName } from "./trusted-header.ts";
import { Lookups, Verdicts } from "./verdicts.ts";

/** `true`: vouched for, count by the credential; an id: count by its owner; anything else: unknown. */
export type ApiKeyVerdict = Id | boolean | null | undefined;

/** What {@link apiKey} takes. */
export interface ApiKeyOptions<Raw = unknown> {
  /** Where the credential stands. @defaultValue `"x-api-key"` */
  readonly header?: string;
  /** With `authorization`: the scheme in front of it, such as `"Bearer"`; others are no credential. */
  readonly scheme?: string;
  /**
   * Vouches for a credential, perhaps from a database. Without it a caller could make up a new identity for every request. A
   * failure vouches for nothing and is not remembered.
   */
  readonly resolve: (credential: string, request: RequestView<Raw>) => MaybePromise<ApiKeyVerdict>;
  /** How long a vouched credential is believed; 0 for never. @defaultValue `"1 minute"` */
  readonly rememberVouched?: number | string;
  /** How long an unknown one is refused without asking again; 0 for never. @defaultValue `"10 seconds"` */
  readonly rememberUnknown?: number | string;
  /** Verdicts of each kind that are kept, at least 1. @defaultValue 10,000 */
  readonly maxRemembered?: number;
  /** Unknown credentials that one address may have looked up per minute, at least 1. @defaultValue 20 */
  readonly unknownPerMinute?: number;
  /** For tests. @defaultValue the monotonic clock */
  readonly clock?: Clock;
}

/** Names keys of {@link apiKey} by hand. */
export interface ApiKeyKeys {
  /** The key of a credential that `resolve` vouches for with `true`. */
  key(credential: string): string;
  /** The key of an owner that `resolve` names. */
  owner(id: Id): string;
}

const OPTIONS = [
  "header",
  "scheme",
  "resolve",
  "rememberVouched",
  "rememberUnknown",
  "maxRemembered",
  "unknownPerMinute",
  "clock",
];

/** Nothing longer is taken for a credential: hashing it would be work for the asking. */
const LONGEST_CREDENTIAL = 4_096;

function createApiKey<Raw = unknown>(options: ApiKeyOptions<Raw>): KeyExtractor<Raw> {
  requireKnownOptions("apiKey()", options, OPTIONS);
  const given: ApiKeyOptions<Raw> = options;
  const { resolve, clock } = given;
  if (resolve === undefined)
    throw new ConfigError(
      "ERR_AFORO_MISSING_OPTION",
      `"resolve" of apiKey() is required: an unverified key is no identity`,
    );
  requireFunction("resolve", resolve);
  const read = credentialReader<Raw>(given);
  const { rememberVouched = 60_000, rememberUnknown = 10_000, maxRemembered = 10_000, unknownPerMinute = 20 } = given;
  const vouchedMs = durationOrNone("rememberVouched", rememberVouched);
  const unknownMs = durationOrNone("rememberUnknown", rememberUnknown);
  const max = requireInteger("maxRemembered", maxRemembered, 1);
  const lookups = requireInteger("unknownPerMinute", unknownPerMinute, 1);
  if (clock !== undefined) requireFunction("clock", clock);
  const now = clock === undefined ? () => performance.now() : () => readClock(clock);
  return {
    kind: "api",
    prepare: (context) =>
      prepareApiKey(
        {
          read,
          resolve,
          vouchedMs,
          unknownMs,
          verdicts: new Verdicts(max, now),
          lookups: new Lookups(lookups, max, now),
        },
        context,
      ),
  };
}

/**
 * Counts by an API key that `resolve` has vouched for; stored only as a digest. An unknown key falls through, and so do
 * all of an address that keeps presenting unknown ones: the limiter cannot be used to flood what `resolve` asks.
 */
export const apiKey: (<Raw = unknown>(options: ApiKeyOptions<Raw>) => KeyExtractor<Raw>) & ApiKeyKeys = Object.assign(
  createApiKey,
  {
    key: (credential: string) => credentialKey(sha256(credential.trim())),
    owner: (id: Id) => ownerKey(requireKeyText(id)),
  },
);

interface Parts<Raw> {
  readonly read: (request: RequestView<Raw>) => string | undefined;
  readonly resolve: ApiKeyOptions<Raw>["resolve"];
  readonly vouchedMs: number;
  readonly unknownMs: number;
  readonly verdicts: Verdicts;
  readonly lookups: Lookups;
}

function prepareApiKey<Raw>(
  { read, resolve, vouchedMs, unknownMs, verdicts, lookups }: Parts<Raw>,
  context: KeyContext,
): PreparedKey<Raw> {
  const keyOf = addressKeys(64);
  const asking = new Map<string, Promise<string | undefined>>();
  return (request) => {
    const credential = read(request);
    if (credential === undefined || credential === "" || credential.length > LONGEST_CREDENTIAL) return undefined;
    const digest = sha256(credential);
    const known = verdicts.get(digest);
    if (known !== undefined) return known.key;
    const pending = asking.get(digest);
    if (pending !== undefined) return pending;
    // `ip()` tells of an address that fails, should it be asked.
    const address = keyOf(callerAddress(request));
    if (!lookups.take(address)) return undefined;
    const answer = guarded(
      () => resolve(credential, request),
      (verdict) => {
        const key = verdict === true ? credentialKey(digest) : ownerOf(verdict, context);
        if (key !== undefined) lookups.giveBack(address);
        verdicts.set(digest, key, key === undefined ? unknownMs : vouchedMs);
        return key;
      },
      (error) => {
        context.failed("key-failed", "api", error);
        return undefined;
      },
      context.timeoutMs,
    );
    if (typeof answer !== "object") return answer;
    asking.set(digest, answer);
    return answer.finally(() => asking.delete(digest));
  };
}

function credentialReader<Raw>({ header = "x-api-key", scheme }: ApiKeyOptions<Raw>): Parts<Raw>["read"] {
  const name = requireHeaderName("header", header);
  if (scheme === undefined) return (request) => request.header(name)?.trim();
  const prefix = `${requireHeaderName("scheme", scheme)} `;
  return (request) => {
    const value = request.header(name)?.trim();
    return value?.slice(0, prefix.length).toLowerCase() === prefix ? value.slice(prefix.length).trim() : undefined;
  };
}

function ownerOf(verdict: ApiKeyVerdict, context: KeyContext): string | undefined {
  if (verdict === false || verdict === true) return undefined;
  try {
    const id = keyText(verdict);
    return id === undefined ? undefined : ownerKey(id);
  } catch (error) {
    context.failed("bad-key", "api", error);
    return undefined;
  }
}

function credentialKey(digest: string): string {
  return `api:#${digest}`;
}

function ownerKey(id: string): string {
  return `api:=${id}`;
}

function durationOrNone(option: string, value: number | string): number {
  return value === 0 ? 0 : parseDuration(option, value);
}
