import { resolvePolicy, type ResolvedPolicy } from "../domain/resolved-policy.ts";

/**
 * A policy's share for one of `instances` processes that each count alone: limit, burst and free
 * delay divided and rounded down, at least 1 for a limit above 0, and never too small for the dearest class.
 */
export function localPolicy(
  policy: ResolvedPolicy,
  limiter: string,
  instances: number,
  dearest: number,
): ResolvedPolicy {
  if (policy.limit === 0) return policy;
  const bucket =
    policy.algorithm === "token-bucket" || policy.algorithm === "gcra" || policy.algorithm === "leaky-bucket";
  // A dearest class above the whole capacity could not be admitted by the store either.
  const least = Math.min(policy.capacity, Math.max(1, dearest));
  const limit = Math.max(Math.floor(policy.limit / instances), bucket ? 1 : least);
  return resolvePolicy(
    {
      limiter,
      name: policy.name,
      // gcra's divided rate may not be exact; the token bucket decides the same.
      algorithm: policy.algorithm === "gcra" ? "token-bucket" : policy.algorithm,
      shadow: policy.shadow,
      limit,
      window: policy.window,
      burst: bucket ? Math.max(Math.floor(policy.capacity / instances), least) : undefined,
      delayAfter: policy.algorithm === "leaky-bucket" ? Math.floor(policy.delayAfter / instances) : undefined,
    },
    "limit",
  );
}
