import { viewState } from "../algorithms/state-view.ts";
import { StoreError } from "../domain/errors.ts";
import type { Answering, Check, Reply, StateView } from "../domain/store.ts";
import { Question } from "./question.ts";
import { MARKS, type ReplyCursor } from "./reply-cursor.ts";
import type { Request, Verb } from "./request.ts";

/** What the script told of one request, before it is known whether other slots of a Cluster deny it. */
export interface Asked {
  readonly at: number;
  readonly checks: readonly Check[];
  readonly questions: readonly Question[];
  /** Whether all enforced checks fit; then they were charged. */
  readonly allowed: boolean;
}

/**
 * Reads one request's part of the reply. An error that it returns rejects this request alone; one that
 * it throws says that the reply makes no sense from here on.
 *
 * @param at - the store's time.
 * @param sentAt - `performance.now()` when the call was sent.
 * @param stamp - of the deny cache, when the request was made.
 */
export type Reader<T> = (
  reply: ReplyCursor,
  at: number,
  checks: readonly Check[],
  sentAt: number,
  stamp: number,
) => T | StoreError;

/** A request whose part of the reply is read by a {@link Reader}. */
export class ReadingRequest<T> implements Request {
  readonly verb: Verb;
  readonly checks: readonly Check[];
  readonly key: string;
  readonly moreKeys: readonly string[];
  readonly extras: readonly number[] | undefined;
  readonly #reader: Reader<T>;
  readonly #stamp: number;
  readonly #to: Answering<T>;

  constructor(
    verb: Verb,
    checks: readonly Check[],
    key: string,
    moreKeys: readonly string[],
    extras: readonly number[] | undefined,
    reader: Reader<T>,
    stamp: number,
    to: Answering<T>,
  ) {
    this.verb = verb;
    this.checks = checks;
    this.key = key;
    this.moreKeys = moreKeys;
    this.extras = extras;
    this.#reader = reader;
    this.#stamp = stamp;
    this.#to = to;
  }

  get deadline(): number {
    return this.#to.deadline;
  }

  settle(reply: ReplyCursor, now: number, sentAt: number): void {
    const value = this.#reader(reply, now, this.checks, sentAt, this.#stamp);
    if (value instanceof StoreError) this.#to.fail(value);
    else this.#to.settle(value);
  }

  reject(error: unknown): void {
    this.#to.fail(error);
  }
}

/** Decides `consume` and `raise`; reuses its questions, since each is answered before the next is read. */
export function replyReader(): Reader<Reply> {
  const questions: Question[] = [];
  const only = new Question();
  return (reply, at, checks) => {
    if (checks.length === 1) return readOne(reply, at, checks[0] as Check, only);
    while (questions.length < checks.length) questions.push(new Question());
    const asked = ask(reply, at, checks, questions);
    return asked instanceof StoreError ? asked : decided(asked, asked.allowed);
  };
}

/** The usual request, which has one check, without arrays in between. */
function readOne(reply: ReplyCursor, at: number, check: Check, question: Question): Reply | StoreError {
  question.read(check, reply, at);
  const { shadow } = check.policy;
  if (question.failure !== undefined && !shadow) return unreadableState(check, question.failure);
  const allowed = question.fits || shadow;
  return { at, allowed, policies: [question.decision(check, question.fits)], source: "store" };
}

/** As {@link replyReader}, leaving the decision open. */
export const readAsked: Reader<Asked> = (reply, at, checks) =>
  ask(
    reply,
    at,
    checks,
    checks.map(() => new Question()),
  );

/** The reply when it is known whether the whole request is allowed. */
export function decided({ at, checks, questions }: Asked, allowed: boolean): Reply {
  const policies = checks.map((check, i) => {
    const question = questions[i] as Question;
    return question.decision(check, question.fits && (allowed || check.policy.shadow));
  });
  return { at, allowed, policies, source: "store" };
}

function ask(
  reply: ReplyCursor,
  at: number,
  checks: readonly Check[],
  questions: readonly Question[],
): Asked | StoreError {
  let allowed = true;
  let failed: StoreError | undefined;
  for (let i = 0; i < checks.length; i++) {
    const check = checks[i] as Check;
    const question = questions[i] as Question;
    question.read(check, reply, at);
    // The failure of a shadow policy is nobody's business.
    if (check.policy.shadow) continue;
    if (!question.fits) allowed = false;
    if (question.failure !== undefined) {
      allowed = false;
      failed ??= unreadableState(check, question.failure);
    }
  }
  return failed ?? { at, checks, questions, allowed };
}

/** The script answers 0, or says why a state could not be changed. */
export const readDone: Reader<true> = (reply, _at, checks) => {
  if (checks.length === 0) return true;
  const failure = reply.failure();
  if (failure !== undefined) return unreadableState(checks[0] as Check, failure);
  reply.number();
  return true;
};

export const readViews: Reader<readonly (StateView | undefined)[]> = (reply, at, checks) => {
  let failed: StoreError | undefined;
  const views = checks.map((check) => {
    const failure = reply.failure();
    if (failure === undefined) return readView(reply, at, check);
    failed ??= unreadableState(check, failure);
    return undefined;
  });
  return failed ?? views;
};

function readView(reply: ReplyCursor, at: number, { policy }: Check): StateView | undefined {
  const blockedMs = reply.marked(MARKS.blocked);
  const blockedUntil = blockedMs === 0 ? 0 : at + blockedMs;
  if (policy.algorithm === "sliding-window-log") {
    const [used, entries, mark] = [reply.number(), reply.number(), reply.number()];
    if (used > 0) return { used, entries, mark, blockedUntil };
    return blockedUntil > 0 ? { used: 0, mark: 0, blockedUntil } : undefined;
  }
  const width = policy.algorithm === "gcra" ? 1 : policy.algorithm === "sliding-window-counter" ? 3 : 2;
  const cells = Float64Array.from({ length: width }, () => reply.number());
  return viewState(policy, cells, 0, at, blockedUntil);
}

function unreadableState({ policy, stateKey }: Check, failure: string): StoreError {
  const key = `${policy.space}${stateKey}`;
  return new StoreError("ERR_AFORO_STORE_REPLY", `the key of ${JSON.stringify(key)} holds something else: ${failure}`);
}
