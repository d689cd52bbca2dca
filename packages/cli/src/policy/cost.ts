import type { LogLine } from "../log/log-line.ts";
import { UsageError } from "../usage-error.ts";
import { classOf, type RequestClass } from "./request-class.ts";

/** Dearer requests would overflow the counts of a caller's window. */
const DEAREST = 1_000_000;

/** What one request costs, whole units. */
export type CostOf = (line: LogLine) => number;

/**
 * @param text - `3` for all requests, or `field:NAME` for a number that the log has; what has none costs 1.
 * @param classes - take precedence over it.
 * @throws {@link UsageError} when the text is neither.
 */
export function parseCost(text: string, classes: readonly RequestClass[]): CostOf {
  const plain = plainCost(text);
  if (classes.length === 0) return plain;
  return (line) => classes[classOf(classes, line)]?.cost ?? plain(line);
}

function plainCost(text: string): CostOf {
  if (/^\d{1,7}$/.test(text) && Number(text) <= DEAREST) {
    const cost = Number(text);
    return () => cost;
  }
  const name = /^field:(.+)$/.exec(text)?.[1];
  if (name === undefined)
    throw new UsageError(
      `"--cost" must be a whole number from 0 to ${DEAREST} or field:NAME, got ${JSON.stringify(text)}`,
    );
  return (line) => {
    const value = Math.ceil(Number(line.field(name) ?? 1));
    return value >= 0 ? Math.min(value, DEAREST) : 1;
  };
}
