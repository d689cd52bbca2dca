import { resolvePolicy, type ResolvedPolicy } from "../domain/resolved-policy.ts";

/** Never denies in practice, expires within seconds, and has a name that no policy can have. */
export function probePolicy(limiter: string): ResolvedPolicy {
  return resolvePolicy(
    {
      limiter,
      name: "~probe",
      algorithm: "fixed-window",
      shadow: false,
      limit: 2 ** 31,
      window: 1_000,
      burst: undefined,
      delayAfter: undefined,
    },
    "probe",
  );
}
