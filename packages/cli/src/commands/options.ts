import { InvalidArgumentError } from "commander";
import { parseDurationText } from "../duration-text.ts";
import { parseTime } from "../log/time.ts";

/** Gathers an option that may be given several times. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** A whole number from `least` on. */
export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    if (/^\d{1,15}$/.test(text) && Number(text) >= least) return Number(text);
    throw new InvalidArgumentError(`It must be a whole number of at least ${least}.`);
  };
}

/** A duration such as `30s`; 0 is one too. */
export function duration(text: string): number {
  const ms = parseDurationText(text);
  if (ms !== undefined) return ms;
  throw new InvalidArgumentError("It must be a duration such as 250ms, 30s, 5m, 2h or 7d.");
}

/** Epoch ms of a time, or of a day's midnight in UTC. */
export function time(text: string): number {
  const ms = parseTime(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);
  if (ms !== undefined) return ms;
  throw new InvalidArgumentError(
    "It must be ISO 8601, such as 2026-11-24T10:00:00Z, or seconds or milliseconds since 1970.",
  );
}

/** One character. */
export function separator(text: string): string {
  const char = text === "\\t" || text === "tab" ? "\t" : text;
  if (char.length === 1 && char !== '"' && char !== "\n") return char;
  throw new InvalidArgumentError("It must be one character, or tab.");
}
