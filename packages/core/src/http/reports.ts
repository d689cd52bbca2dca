import { responseChannel } from "../observe/channels.ts";
import type { DecisionListener } from "../observe/observer.ts";
import { completed, publishResponse } from "../observe/publish-response.ts";
import { quietly } from "../observe/quietly.ts";
import type { DecisionRecord } from "../observe/records.ts";
import type { RequestView } from "../identity/request-view.ts";
import { observedRecord } from "../limiter/limiter-decision.ts";
import type { RateLimitOptions } from "./options.ts";
import type { Visit } from "./visit.ts";

/** Tells of decided requests: when decided, and when their responses are complete. */
export class Reports<Raw> {
  /** What the limiter tells of the decisions that its sampling picks; `undefined` when nobody wants to know. */
  readonly onDecision: DecisionListener<RequestView<Raw> | undefined> | undefined;
  readonly #onResponse: RateLimitOptions<Raw>["onResponse"];
  /** Records of the requests that sampling picked, until they are complete. */
  readonly #picked = new WeakSet<DecisionRecord>();

  constructor({ onDecision, onResponse }: Pick<RateLimitOptions<Raw>, "onDecision" | "onResponse">) {
    this.#onResponse = onResponse;
    if (onDecision === undefined && onResponse === undefined) return;
    this.onDecision = (record, request) => {
      if (onResponse !== undefined) this.#picked.add(record);
      return onDecision?.(record, request);
    };
  }

  /** Whether somebody wants to know of responses. */
  get awaited(): boolean {
    return this.#onResponse !== undefined || responseChannel.hasSubscribers;
  }

  /** Watches for the end of a decided request's response. Only while {@link awaited}. */
  watch(visit: Visit): void {
    const record = recordOf(visit);
    if (record === undefined || visit.reported || !(responseChannel.hasSubscribers || this.#picked.has(record))) return;
    visit.reported = true;
    visit.port.onEnd((status, aborted) => {
      const last = recordOf(visit) ?? record;
      const report = completed(last, status, aborted);
      publishResponse(report);
      if (!this.#picked.has(record) && !this.#picked.has(last)) return;
      quietly(() => this.#onResponse?.(report, visit.view as RequestView<Raw>));
    });
  }
}

function recordOf({ decision }: Visit): DecisionRecord | undefined {
  return decision === undefined ? undefined : observedRecord(decision);
}
