import type { KeySpec } from "../callers/key-spec.ts";
import type { JudgedRequest } from "../judge/judge.ts";
import { StoreJudge } from "../judge/store-judge.ts";
import type { LogLine } from "../log/log-line.ts";
import { readLog, type LogOptions } from "../log/read-log.ts";
import { classOf, type RequestClass } from "../policy/request-class.ts";
import type { Proposal } from "./propose.ts";

/** What a proposal did to the log that it was made from. */
export interface Check {
  /** Legitimate callers that were rejected at least once. */
  readonly callersRejected: number;
  /** Their rejected requests. */
  readonly rejected: number;
  /** Requests of callers that were left out, and how many of these were rejected. */
  readonly leftOutRequests: number;
  readonly leftOutRejected: number;
}

export interface CheckOptions {
  readonly log: LogOptions;
  readonly key: KeySpec;
  readonly classes: readonly RequestClass[];
  readonly isLegitimate: (caller: number) => boolean;
  /** For each class, the last of which is for all other requests. */
  readonly proposals: readonly (readonly Proposal[])[];
}

/** Replays the log under each proposal. */
export async function checkProposals({
  log,
  key,
  classes,
  isLegitimate,
  proposals,
}: CheckOptions): Promise<readonly (readonly Check[])[]> {
  const trials = proposals.map((each) => each.map((proposal) => new Trial(proposal, isLegitimate)));
  const request: JudgedRequest = { time: 0, cost: 1, callers: new Int32Array(1), view: undefined };
  const extract = {
    width: 2,
    fill(line: LogLine, words: Int32Array): void {
      words[0] = key.callerOf(line);
      words[1] = classes.length === 0 ? 0 : classOf(classes, line);
    },
  };
  await readLog(log, extract, (time, words) => {
    request.time = time;
    request.callers[0] = words[0] as number;
    for (const trial of trials[words[1] as number] ?? []) trial.add(request);
  });
  return trials;
}

class Trial implements Check {
  callersRejected = 0;
  rejected = 0;
  leftOutRequests = 0;
  leftOutRejected = 0;
  readonly #judge: StoreJudge;
  readonly #isLegitimate: (caller: number) => boolean;
  readonly #hit = new Set<number>();

  constructor({ algorithm, limit, window, burst }: Proposal, isLegitimate: (caller: number) => boolean) {
    const policy = { name: "proposal", algorithm, limit, window, ...(burst === undefined ? {} : { burst }) };
    this.#judge = new StoreJudge([{ policy, key: 0 }]);
    this.#isLegitimate = isLegitimate;
  }

  add(request: JudgedRequest): void {
    const caller = request.callers[0] as number;
    const admitted = this.#judge.decide(request);
    if (!this.#isLegitimate(caller)) {
      this.leftOutRequests += 1;
      if (!admitted) this.leftOutRejected += 1;
    } else if (!admitted) {
      this.rejected += 1;
      this.#hit.add(caller);
      this.callersRejected = this.#hit.size;
    }
  }
}
