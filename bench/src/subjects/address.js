import { ip } from "@aforo/core";
import { ThrottlerGuard } from "@nestjs/throttler";
import { ipKeyGenerator } from "express-rate-limit";

/**
 * How an address becomes a key: as each middleware does it, request after request.
 * @type {Record<string, () => (address: string) => string | Promise<string>>}
 */
export const addressReaders = {
  ours() {
    const keyOf = ip().prepare({ limiter: "bench", timeoutMs: 1_000, failed() {}, warn() {} });
    const request = /** @type {any} */ ({ ip: "", peer: undefined, header: () => undefined, proxyTrust: "none" });
    return (address) => {
      request.ip = address;
      return /** @type {string} */ (keyOf(request));
    };
  },
  "express-rate-limit": () => (address) => ipKeyGenerator(address, 64),
  "@nestjs/throttler": () => {
    const guard = Object.assign(Object.create(ThrottlerGuard.prototype), { ipv6SubnetPrefix: 64 });
    return (address) => guard.getTracker({ ip: address });
  },
};
