import type { KeySpec } from "../callers/key-spec.ts";
import type { LogLine } from "../log/log-line.ts";
import { readLog, type LogOptions, type LogSummary } from "../log/read-log.ts";
import { classOf, OTHER, type RequestClass } from "../policy/request-class.ts";
import type { ReportSource } from "../report/report.ts";
import { checkProposals, type Check } from "./check.ts";
import { ClassCallers } from "./class-callers.ts";
import { Demand } from "./demand.ts";
import { hasFailed, Legitimacy } from "./legitimacy.ts";
import { propose, type DemandSpread, type Proposal } from "./propose.ts";

export interface SuggestOptions {
  readonly log: LogOptions;
  readonly key: KeySpec;
  readonly classes: readonly RequestClass[];
  /** The share of legitimate callers that may be rejected some time, 0 to below 1. */
  readonly share: number;
  /** What the limits are per, in ms, at least a second. */
  readonly window: number;
  /** Whether all callers count as legitimate. */
  readonly everybody: boolean;
  /** Whether the log is read again, to see what the proposals do to it. */
  readonly check: boolean;
}

export interface Suggestion {
  readonly version: 1;
  readonly kind: "suggest";
  readonly source: ReportSource;
  readonly share: number;
  readonly window: number;
  readonly classes: readonly ClassSuggestion[];
}

export interface ClassSuggestion {
  readonly name: string;
  readonly requests: number;
  /** Legitimate callers, and those left out since most of what they asked for failed. */
  readonly callers: number;
  readonly leftOut: number;
  /** How many legitimate callers may be rejected some time. */
  readonly mayReject: number;
  readonly spread: DemandSpread;
  readonly proposals: readonly CheckedProposal[];
}

export interface CheckedProposal extends Proposal {
  /** What the proposal did to the same log; `null` when it could not be read again. */
  readonly check: Check | null;
}

/** Finds, for each class of requests, the least limits that hardly ever reject a legitimate caller. */
export async function suggest(options: SuggestOptions): Promise<Suggestion> {
  const { key, classes, share, window, log } = options;
  const legitimacy = new Legitimacy();
  const groups = [...classes.map(({ name }) => name), OTHER].map((name) => ({
    name,
    callers: new ClassCallers(),
    demand: new Demand(window),
  }));
  const extract = {
    width: 3,
    fill(line: LogLine, words: Int32Array): void {
      words[0] = key.callerOf(line);
      words[1] = classes.length === 0 ? 0 : classOf(classes, line);
      words[2] = hasFailed(line) ? 1 : 0;
    },
  };
  const summary = await readLog(log, extract, (time, words) => {
    const { callers, demand } = groups[words[1] as number] as (typeof groups)[number];
    demand.add(time, callers.placeOf(words[0] as number));
    legitimacy.add(words[0] as number, words[2] === 1);
  });

  const isLegitimate = (caller: number): boolean => options.everybody || legitimacy.isLegitimate(caller);
  const proposed = groups.map(({ name, callers, demand }) => {
    const legitimate = callers.places(isLegitimate);
    const mayReject = Math.floor(share * legitimate.length);
    const { spread, proposals } = propose(demand, legitimate, mayReject, window);
    return {
      name,
      requests: demand.requests,
      callers: legitimate.length,
      leftOut: callers.size - legitimate.length,
      mayReject,
      spread,
      proposals,
    };
  });
  // What was learnt of each caller makes room for the check.
  groups.length = 0;
  const checks = options.check
    ? await checkProposals({ log, key, classes, isLegitimate, proposals: proposed.map(({ proposals }) => proposals) })
    : undefined;
  return {
    version: 1,
    kind: "suggest",
    source: sourceOf(options, summary),
    share,
    window,
    classes: proposed
      .map((each, index) => ({
        ...each,
        proposals: each.proposals.map((proposal, place) => ({ ...proposal, check: checks?.[index]?.[place] ?? null })),
      }))
      .filter(({ requests }) => requests > 0),
  };
}

function sourceOf({ log, key }: SuggestOptions, { requests, from, to, facts }: LogSummary): ReportSource {
  return { names: log.files, key: key.text, requests, callers: key.callers.size, from, to, log: facts };
}
