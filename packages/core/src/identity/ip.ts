import { requireInteger, requireKnownOptions } from "../domain/options.ts";
import { AddressReader } from "./address.ts";
import { callerAddress } from "./caller-address.ts";
import type { KeyExtractor } from "./key-source.ts";
import { watchProxyTrust } from "./proxy-trust.ts";

/** What {@link ip} takes. */
export interface IpOptions {
  /**
   * How many leading bits of an IPv6 address are one client, 1 to 128: a subscriber has at least a /64, homes
   * often a /56, sites a /48. 128 counts each address by itself. @defaultValue 64
   */
  readonly ipv6Prefix?: number;
}

/**
 * The key of all who come without a usable address: unix sockets, connections that vanished before they were decided,
 * text that is no address. They share one count; it is never "undefined", and nobody gets one of their own by
 * making up text.
 */
export const UNKNOWN_ADDRESS = "ip:unknown";

/** Names the key of an address, for what is done by hand: `limiter.reset(ip.key("203.0.113.9"))`. */
export interface IpKeys {
  /** `text` as {@link AddressReader} reads it: port, brackets and zone go. */
  key(text: string): string;
}

export interface IpExtractor extends KeyExtractor, IpKeys {}

function createIp(options: IpOptions = {}): IpExtractor {
  requireKnownOptions("ip()", options, ["ipv6Prefix"]);
  const given: IpOptions = options;
  const prefix = requireInteger("ipv6Prefix", given.ipv6Prefix ?? 64, 1, 128);
  return {
    kind: "ip",
    key: addressKeys(prefix),
    prepare(context) {
      const keyOf = addressKeys(prefix);
      const watch = watchProxyTrust(context);
      const failed = (error: unknown): void => context.failed("key-failed", "ip", error);
      return (request) => {
        const address = callerAddress(request, failed);
        watch(request, address);
        return keyOf(address);
      };
    },
  };
}

/**
 * Counts by the client's address, as the framework's own proxy trust tells it. IPv4 counts by address; IPv6 by
 * prefix; IPv4 written as IPv6 as IPv4. Without an address: {@link UNKNOWN_ADDRESS}.
 */
export const ip: ((options?: IpOptions) => IpExtractor) & IpKeys = Object.assign(createIp, {
  key: (text: string) => addressKeys(64)(text),
});

/** Turns addresses into keys: `ip:203.0.113.9`, `ip:2001:0db8:0001:0002::/64`, or {@link UNKNOWN_ADDRESS}. */
export function addressKeys(ipv6Prefix: number): (text: string | undefined) => string {
  const reader = new AddressReader();
  const { groups } = reader;
  const masks = Uint16Array.from(groups, (_, group) => maskOf(ipv6Prefix - group * 16));
  const ipv6Key = ipv6Prefix <= 64 ? networkKey : hostKey;
  return (text) => {
    if (text === undefined || !reader.read(text)) return UNKNOWN_ADDRESS;
    return reader.family === 4 ? ipv4Key(reader, text) : ipv6Key(groups, masks, ipv6Prefix);
  };
}

function ipv4Key({ ipv4, dottedFrom, dottedTo }: AddressReader, text: string): string {
  // Dots and digits without leading zeros are the one spelling of an address.
  if (dottedTo > 0) return `ip:${dottedTo - dottedFrom === text.length ? text : text.slice(dottedFrom, dottedTo)}`;
  return `ip:${ipv4 >>> 24}.${(ipv4 >>> 16) & 255}.${(ipv4 >>> 8) & 255}.${ipv4 & 255}`;
}

/** `ip:` and four groups. All in one call, since strings that are put together piece by piece are slow to hash. */
function networkKey(groups: Uint16Array, masks: Uint16Array, prefix: number): string {
  const a = masked(groups, masks, 0);
  const b = masked(groups, masks, 1);
  const c = masked(groups, masks, 2);
  const d = masked(groups, masks, 3);
  // prettier-ignore
  return String.fromCharCode(
    105, 112, COLON,
    hex(a >> 12), hex(a >> 8), hex(a >> 4), hex(a), COLON,
    hex(b >> 12), hex(b >> 8), hex(b >> 4), hex(b), COLON,
    hex(c >> 12), hex(c >> 8), hex(c >> 4), hex(c), COLON,
    hex(d >> 12), hex(d >> 8), hex(d >> 4), hex(d), COLON, COLON,
    47, 48 + Math.floor(prefix / 10), 48 + (prefix % 10),
  );
}

function hostKey(groups: Uint16Array, masks: Uint16Array, prefix: number): string {
  let key = "ip";
  for (let group = 0; group < 8; group++) key += `:${masked(groups, masks, group).toString(16).padStart(4, "0")}`;
  return `${key}/${prefix}`;
}

const COLON = 58;

/** Leaves the leading bits of a group, as many as the prefix reaches into it. */
function maskOf(bits: number): number {
  return bits >= 16 ? 0xffff : bits <= 0 ? 0 : 0xffff << (16 - bits);
}

function masked(groups: Uint16Array, masks: Uint16Array, group: number): number {
  return (groups[group] as number) & (masks[group] as number);
}

/** The characters of the digits. A table, since the processor cannot foresee which digits are letters. */
const HEX_CHARACTERS: Uint8Array = Uint8Array.from("0123456789abcdef", (digit) => digit.charCodeAt(0));

/** The character of the lowest four bits. */
function hex(bits: number): number {
  return HEX_CHARACTERS[bits & 15] as number;
}
