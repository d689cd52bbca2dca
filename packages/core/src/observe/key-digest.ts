import { createHmac, createSecretKey, randomBytes, type KeyObject } from "node:crypto";
import type { KeyRecord } from "./records.ts";

/** The name spaces of the suite's own extractors. What else stands before a colon may be part of somebody's name. */
const KINDS: ReadonlySet<string> = new Set(["ip", "user", "api", "header", "route", "all", "custom"]);

/** 64 bits: enough to tell millions of keys apart, too few to be worth keeping. */
const HASH_DIGITS = 16;

/** Hashes remembered at once, twice: busy keys are hashed once, made-up ones do not fill memory. */
const REMEMBERED = 16_384;

/** Turns keys into what records may show of them. */
export class KeyDigest {
  #secret: KeyObject | undefined;
  #young = new Map<string, string>();
  #old = new Map<string, string>();

  /** @param secret - left out, a random one of this process: then hashes tell keys apart until it ends, and nowhere else. */
  constructor(secret: string | undefined) {
    this.#secret = secret === undefined ? undefined : createSecretKey(secret, "utf8");
  }

  of(key: string): KeyRecord {
    return { keyKind: kindOf(key), keyHash: this.hash(key) };
  }

  hash(key: string): string {
    let hash = this.#young.get(key);
    if (hash !== undefined) return hash;
    hash = this.#old.get(key) ?? this.#digest(key);
    if (this.#young.size >= REMEMBERED) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, hash);
    return hash;
  }

  #digest(key: string): string {
    // Made when first needed: most processes log nothing by key.
    this.#secret ??= createSecretKey(randomBytes(32));
    return digest(this.#secret, key);
  }
}

/**
 * The hash by which records name a key, to find a caller in a log.
 *
 * @param secret - the limiter's `secret`.
 * @param key - as the limiter is given it, such as `user.key("42")`; with `hashKeys`, what the store shows of it.
 */
export function recordHash(secret: string, key: string): string {
  return digest(createSecretKey(secret, "utf8"), key);
}

function digest(secret: KeyObject, key: string): string {
  // The prefix keeps it apart from whatever else is hashed with the secret; UTF-16, since UTF-8 would make all lone surrogates one.
  return createHmac("sha256", secret).update(`record/${key}`, "utf16le").digest("hex").slice(0, HASH_DIGITS);
}

/** The name space of a key, `"text"` for one that is in none. */
export function kindOf(key: string): string {
  const kind = key.slice(0, key.indexOf(":"));
  return KINDS.has(kind) ? kind : "text";
}
