import { quietly } from "../observe/quietly.ts";
import { AddressReader } from "./address.ts";
import type { KeyContext } from "./key-source.ts";
import type { RequestView } from "./request-view.ts";

/** Requests that are looked at: a misconfigured proxy shows on the first ones already. */
const WATCHED_REQUESTS = 1_000;

/**
 * Watches a limiter's first requests for proxy settings that make the address forgeable or the same for everybody.
 * Both warn once; counting goes on as the framework says.
 */
export function watchProxyTrust(context: KeyContext): (request: RequestView, address: string | undefined) => void {
  let left = WATCHED_REQUESTS;
  const hint = context.proxyHint ?? "Tell the framework how many proxies stand in front, or their addresses.";
  return (request, address) => {
    if (left === 0) return;
    left--;
    // A connection that vanished may not even say where it came from.
    quietly(() => look(request, address));
  };

  function look(request: RequestView, address: string | undefined): void {
    const forwarded = request.header("x-forwarded-for");
    if (forwarded === undefined) return;
    const trust = request.proxyTrust;
    if (trust === "all") {
      left = 0;
      context.warn(
        "AFORO_PROXY_TRUST_UNCONDITIONAL",
        `limiter "${context.limiter}" counts by an address that clients can forge: the framework trusts every X-Forwarded-For, left-most entry included. ${hint}`,
      );
    } else if (request.peer !== undefined && isPrivate(request.peer) && isUntrusted(request, address, forwarded)) {
      left = 0;
      context.warn(
        "AFORO_PROXY_UNTRUSTED",
        `limiter "${context.limiter}" sees X-Forwarded-For from a proxy that the framework does not trust, so all clients behind it count as one. ${hint}`,
      );
    }
  }
}

/** Some proxies may be trusted, but not the one that sent this: its own address is what is counted. */
function isUntrusted({ proxyTrust, peer = "" }: RequestView, address: string | undefined, forwarded: string): boolean {
  return proxyTrust === "none" || (proxyTrust === "some" && address === peer && !forwarded.endsWith(peer));
}

/** Loopback, private, shared and link-local ranges: where proxies live. */
function isPrivate(peer: string): boolean {
  const reader = new AddressReader();
  if (!reader.read(peer)) return false;
  if (reader.family === 4) {
    const [a, b] = [reader.ipv4 >>> 24, (reader.ipv4 >>> 16) & 255];
    return (
      a === 10 ||
      a === 127 ||
      (a === 172 && b >= 16 && b < 32) ||
      (a === 192 && b === 168) ||
      (a === 100 && b >= 64 && b < 128)
    );
  }
  const first = reader.groups[0] as number;
  const loopback = reader.groups.every((group, index) => group === (index === 7 ? 1 : 0));
  return loopback || (first & 0xfe00) === 0xfc00 || (first & 0xffc0) === 0xfe80;
}
