import type { KeyObject } from "node:crypto";
import { hmac, secretKey, sha256 } from "./digest.ts";

/** What {@link createKeyHasher} needs. */
export interface KeyHasherOptions {
  /** The newest first; empty for none. */
  readonly secrets: readonly string[];
  /** Hash every kind of key, not credentials alone. */
  readonly hashKeys: boolean;
}

/** Turns keys into what the store may see. */
export interface KeyHasher {
  /**
   * The key under each secret, the newest first. While a secret is being rotated there are several, and all of them
   * count, so that neither a quota nor a block is lost to the rotation.
   */
  hash(key: string): readonly string[];
}

/**
 * The hasher of a limiter, or `undefined` where keys go as they are: credentials are digests already when
 * extractors name them, and only a secret makes those of no use to whoever reads the store.
 */
export function createKeyHasher({ secrets, hashKeys }: KeyHasherOptions): KeyHasher | undefined {
  if (secrets.length === 0) return hashKeys ? { hash: (key) => [hashed(key, sha256(key))] } : undefined;
  const keys = secrets.map(secretKey);
  return {
    hash(key) {
      if (!hashKeys && !holdsCredential(key)) return [key];
      return keys.map((secret) => hashed(key, hmac(secret, key).toString("base64url")));
    },
  };
}

/** The partition key of draft headers: tells a client which of its requests count together, and nobody anything else. */
export function createPartitionKeys(secret: string): (policy: string, key: string) => string {
  const keyed: KeyObject = secretKey(secret);
  return (policy, key) => hmac(keyed, `pk/${policy}/${key}`).toString("base64", 0, 9);
}

/** Keeps the kind, which records show. */
function hashed(key: string, digest: string): string {
  return `${key.slice(0, key.indexOf(":") + 1)}~${digest}`;
}

/** Credentials stand alone or as a part of `allOf`. */
function holdsCredential(key: string): boolean {
  return key.startsWith("api:") || key.startsWith("all:");
}
