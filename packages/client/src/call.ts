import type { Client, OriginState } from "./client.ts";
import { AforoClientError } from "./errors.ts";
import type { FetchOutcome } from "./outcome.ts";
import type { Visit } from "./pace/origin-pacer.ts";
import { routeOf } from "./pace/route.ts";
import { saysNever } from "./problem.ts";
import type { RetryEvent } from "./retry/events.ts";
import { failureOf, type Answer, type Failure } from "./retry/failure.ts";
import { judge, type Verdict } from "./retry/verdict.ts";
import { planWait, type RetryWait } from "./retry/wait.ts";
import { abortable } from "./transport/abortable.ts";
import { Attempts } from "./transport/attempts.ts";
import { CallScope } from "./transport/call-scope.ts";
import { discard } from "./transport/discard.ts";
import type { ResponseLike } from "./transport/fetch-like.ts";
import { describeRequest, type InitLike, type RequestFacts } from "./transport/request-facts.ts";

/** One call of a client's fetch: its attempts, and the waits between them. */
export class Call {
  readonly #client: Client;
  readonly #input: unknown;
  readonly #init: InitLike | undefined;
  readonly #request: RequestFacts;
  readonly #origin: OriginState;
  readonly #route: string;
  readonly #ticket: number;
  readonly #startedAt: number;
  readonly #scope: CallScope;
  readonly #attempts: Attempts;
  #sent = 0;

  constructor(client: Client, input: unknown, init: InitLike | undefined) {
    const request = describeRequest(input, init);
    this.#client = client;
    this.#input = input;
    this.#init = init;
    this.#request = request;
    this.#origin = client.originState(request.origin);
    this.#route = routeOf(request.method, request.path);
    this.#ticket = client.nextTicket();
    this.#startedAt = client.time.elapsed();
    this.#scope = new CallScope(client.relay, [request.signal, client.options.signal], client.options.deadlineMs);
    this.#attempts = new Attempts(input, init, this.#scope.signal);
  }

  async run(): Promise<ResponseLike> {
    try {
      this.#scope.signal.throwIfAborted();
      for (;;) {
        const { answer, failure } = await this.#attempt();
        if (failure === undefined) return this.#finish(answer, undefined);
        const verdict = await this.#judge(answer, failure);
        if (verdict.gaveUp !== undefined) return await this.#giveUp(answer, verdict);
        await this.#pause(answer, verdict.wait);
      }
    } catch (error) {
      this.#scope.close();
      throw error;
    } finally {
      this.#attempts.end();
    }
  }

  async #attempt(): Promise<{ readonly answer: Answer; readonly failure: Failure | undefined }> {
    const visit = await this.#takeTurn();
    try {
      const answer = await this.#send();
      const failure = failureOf(answer, this.#client.options.retryOn, this.#client.time.wall());
      visit?.answered(answer.response, this.#refusedForMs(answer, failure));
      return { answer, failure };
    } finally {
      visit?.end();
    }
  }

  async #takeTurn(): Promise<Visit | undefined> {
    const { elapsed } = this.#client.time;
    const cameAt = elapsed();
    const visit = await this.#origin.pacer?.enter(this.#route, this.#ticket, this.#sent > 0, this.#scope.signal);
    try {
      if (this.#sent > 0 || elapsed() - cameAt >= 1) await this.#requireUseful(undefined);
    } catch (error) {
      visit?.end();
      throw error;
    }
    return visit;
  }

  async #send(): Promise<Answer> {
    const { signal } = this.#scope;
    if (this.#sent === 0) this.#origin.budget?.earn();
    this.#sent += 1;
    const [input, init] = this.#attempts.next(
      this.#retriesLeft <= 0 || !this.#client.options.methods.has(this.#request.method),
    );
    try {
      return { response: await abortable(this.#fetch(input, init), signal, discard) };
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      return { error };
    }
  }

  /** Async, so that a `fetch` which throws at once rejects like any other. */
  async #fetch(input: unknown, init: unknown): Promise<ResponseLike> {
    return (await this.#client.options.fetch(input, init)) as ResponseLike;
  }

  /** How long a 429 keeps the other calls back too. */
  #refusedForMs({ response }: Answer, failure: Failure | undefined): number | undefined {
    if (failure === undefined || response?.status !== 429) return undefined;
    return Math.max(failure.stated?.ms ?? 0, this.#client.options.baseDelayMs);
  }

  #judge(answer: Answer, failure: Failure): Promise<Verdict> {
    const { options, time } = this.#client;
    return judge({
      failure,
      method: this.#request.method,
      methods: options.methods,
      replayable: this.#request.replayable,
      retriesLeft: this.#retriesLeft,
      maxDelayMs: options.maxDelayMs,
      timeLeftMs: this.#startedAt + options.deadlineMs - time.elapsed(),
      saysNever: async () => answer.response !== undefined && saysNever(answer.response, this.#scope.signal),
      planWait: () => planWait(failure.stated, this.#sent, options),
      spend: () => this.#origin.budget?.spend() ?? true,
    });
  }

  async #pause(answer: Answer, wait: RetryWait): Promise<void> {
    const { signal } = this.#scope;
    const cancelRest = answer.response === undefined ? undefined : discard(answer.response);
    try {
      await this.#requireUseful(answer.error);
      await this.#tell(this.#client.options.onRetry, {
        ...this.#report(answer),
        retry: this.#sent,
        waitMs: wait.ms,
        source: wait.source,
      });
      await abortable(this.#client.time.sleep(wait.ms, signal), signal);
    } finally {
      cancelRest?.();
    }
  }

  async #requireUseful(cause: unknown): Promise<void> {
    const { isStillUseful } = this.#client.options;
    if (isStillUseful === undefined) return;
    const { url, method } = this.#request;
    const question = { attempt: this.#sent + 1, url, method, input: this.#input, init: this.#init };
    if (await abortable(Promise.resolve(isStillUseful(question)), this.#scope.signal)) return;
    throw new AforoClientError(
      "ERR_AFORO_CLIENT_NOT_USEFUL",
      `"isStillUseful" said no before request ${question.attempt} of ${method} ${url}`,
      { cause },
    );
  }

  async #giveUp(answer: Answer, { gaveUp, waitMs }: Extract<Verdict, { gaveUp: string }>): Promise<ResponseLike> {
    try {
      const event = { ...this.#report(answer), reason: gaveUp, attempts: this.#sent, waitMs };
      await this.#tell(this.#client.options.onGiveUp, event);
    } catch (error) {
      if (answer.response !== undefined) discard(answer.response);
      throw error;
    }
    return this.#finish(answer, { gaveUp, waitMs });
  }

  #finish({ response, error }: Answer, gaveUp: Pick<FetchOutcome, "gaveUp" | "waitMs"> | undefined): ResponseLike {
    if (response === undefined) throw error;
    this.#client.outcomes.set(response, { attempts: this.#sent, gaveUp: gaveUp?.gaveUp, waitMs: gaveUp?.waitMs });
    this.#scope.handOver(response);
    return response;
  }

  #report({ response, error }: Answer): Pick<RetryEvent, "url" | "method" | "status" | "error"> {
    return { url: this.#request.url, method: this.#request.method, status: response?.status, error };
  }

  async #tell<E>(listener: ((event: E) => unknown) | undefined, event: E): Promise<void> {
    if (listener !== undefined) await abortable(Promise.resolve(listener(event)), this.#scope.signal);
  }

  get #retriesLeft(): number {
    return this.#client.options.maxRetries + 1 - this.#sent;
  }
}
