import { draft11 } from "./draft-11.ts";
import { draft6 } from "./draft-6.ts";
import { draft7 } from "./draft-7.ts";
import { LEGACY_NAMES } from "./legacy.ts";

/** The headers that tell of quotas and go with rejections, in the usual spelling. */
export const HEADER_NAMES: readonly string[] = [
  ...new Set([...LEGACY_NAMES, ...draft6.names, ...draft7.names, ...draft11.names]),
  "Access-Control-Expose-Headers",
  "Cache-Control",
  "Content-Type",
  "Retry-After",
];
