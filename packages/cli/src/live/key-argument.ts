import { apiKey, ip, user } from "@aforo/core";
import { UsageError } from "../usage-error.ts";

/**
 * The limiter's key for what a person writes: `203.0.113.9` or `ip:203.0.113.9`, `user:42`, `api-key:SECRET`; anything else with
 * a kind, such as `key:acme`, as it is.
 *
 * @throws {@link UsageError} when it names nobody.
 */
export function keyArgument(text: string, ipv6Prefix: number): string {
  const address = ip({ ipv6Prefix });
  const bare = address.key(text);
  if (bare !== UNKNOWN) return bare;
  const colon = text.indexOf(":");
  const [kind, name] = [text.slice(0, colon), text.slice(colon + 1)];
  if (colon > 0 && name !== "") {
    if (kind === "user") return user.key(name);
    if (kind === "api-key") return apiKey.key(name);
    if (kind === "ip") {
      const key = address.key(name);
      if (key !== UNKNOWN || name === "unknown") return key;
      throw new UsageError(`${JSON.stringify(name)} is no address`);
    }
    return text;
  }
  throw new UsageError(
    `KEY must be an address, user:ID, api-key:SECRET, or a key as records show it, such as "key:acme", got ${JSON.stringify(text)}`,
  );
}

const UNKNOWN = "ip:unknown";
