import { requireKnownOptions, requireOneOf } from "../../domain/options.ts";
import { requireBoolean } from "../require-boolean.ts";
import type { HeaderOptions } from "../header-options.ts";
import { draft11 } from "./draft-11.ts";
import { draft6 } from "./draft-6.ts";
import { draft7 } from "./draft-7.ts";
import type { DraftProfile } from "./draft.ts";
import { LEGACY_NAMES } from "./legacy.ts";

/** Which headers a limiter sets, all of it checked. */
export interface HeaderSettings {
  readonly legacy: boolean;
  readonly reset: "epoch" | "delta";
  readonly retryAfter: "seconds" | "http-date";
  readonly draft: DraftProfile | undefined;
  /** The names to expose to scripts of other origins; `undefined` when none are. */
  readonly exposed: readonly string[] | undefined;
}

const PROFILES = { "draft-6": draft6, "draft-7": draft7, "draft-11": draft11 } as const;

/** @throws ConfigError for unknown options and values. */
export function checkHeaderOptions(options: HeaderOptions | false | undefined): HeaderSettings {
  if (options === false)
    return { legacy: false, reset: "epoch", retryAfter: "seconds", draft: undefined, exposed: undefined };
  const { legacy = true, reset = "epoch", retryAfter = "seconds", draft, expose = false } = options ?? {};
  requireKnownOptions("headers", options ?? {}, ["legacy", "reset", "retryAfter", "draft", "expose"]);
  requireBoolean("headers.legacy", legacy);
  requireBoolean("headers.expose", expose);
  const profile =
    draft === undefined
      ? undefined
      : PROFILES[requireOneOf("headers.draft", draft, ["draft-6", "draft-7", "draft-11"])];
  return {
    legacy,
    reset: requireOneOf("headers.reset", reset, ["epoch", "delta"]),
    retryAfter: requireOneOf("headers.retryAfter", retryAfter, ["seconds", "http-date"]),
    draft: profile,
    exposed: expose ? [...(legacy ? LEGACY_NAMES : []), ...(profile?.names ?? []), "Retry-After"] : undefined,
  };
}
