import type { LogLine } from "../log/log-line.ts";
import { parseRoutePattern } from "../policy/route-pattern.ts";

/** Which lines count. */
export interface FilterFlags {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** Epoch ms. */
  readonly since?: number;
  readonly until?: number;
}

/** Whether a line counts, by `--include`, `--exclude`, `--since` and `--until`; `undefined` when all lines do. */
export function lineFilter({
  include = [],
  exclude = [],
  since,
  until,
}: FilterFlags): ((line: LogLine) => boolean) | undefined {
  if (include.length + exclude.length === 0 && since === undefined && until === undefined) return undefined;
  const wanted = include.map((text) => parseRoutePattern("--include", text));
  const unwanted = exclude.map((text) => parseRoutePattern("--exclude", text));
  return (line) => {
    if (line.time < (since ?? 0) || line.time >= (until ?? Infinity)) return false;
    if (wanted.length + unwanted.length === 0) return true;
    const method = line.field("method");
    const path = line.field("path");
    if (unwanted.some((matches) => matches(method, path))) return false;
    return wanted.length === 0 || wanted.some((matches) => matches(method, path));
  };
}
