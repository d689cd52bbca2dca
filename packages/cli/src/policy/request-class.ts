import type { LogLine } from "../log/log-line.ts";
import { UsageError } from "../usage-error.ts";
import { parseRoutePattern, type RoutePattern } from "./route-pattern.ts";

/** A cost class of the command line: which requests it is for, and what one costs. */
export interface RequestClass {
  readonly name: string;
  readonly cost: number;
  readonly patterns: readonly RoutePattern[];
}

/** The name of the class of requests that no class is for. */
export const OTHER = "other";

/**
 * Reads `NAME=PATTERN` and `NAME:COST=PATTERN`; a name given several times has several patterns.
 *
 * @throws {@link UsageError} when one is neither.
 */
export function parseClasses(texts: readonly string[]): RequestClass[] {
  const classes = new Map<string, { name: string; cost: number; patterns: RoutePattern[] }>();
  for (const text of texts) {
    const match = /^(?<name>[A-Za-z0-9][\w.-]{0,63})(?::(?<cost>\d{1,7}))?=(?<pattern>.+)$/s.exec(text);
    if (match?.groups === undefined)
      throw new UsageError(
        `"--class" must be NAME=PATTERN or NAME:COST=PATTERN, such as "search:5=GET /search*", got ${JSON.stringify(text)}`,
      );
    const { name, cost, pattern } = match.groups as { name: string; cost?: string; pattern: string };
    const known = classes.get(name) ?? { name, cost: 1, patterns: [] };
    if (cost !== undefined) known.cost = Number(cost);
    known.patterns.push(parseRoutePattern("--class", pattern));
    classes.set(name, known);
  }
  return [...classes.values()];
}

/** The place of the first class that a request belongs to; the number of classes when it belongs to none. */
export function classOf(classes: readonly RequestClass[], line: LogLine): number {
  const method = line.field("method");
  const path = line.field("path");
  const index = classes.findIndex(({ patterns }) => patterns.some((matches) => matches(method, path)));
  return index < 0 ? classes.length : index;
}
