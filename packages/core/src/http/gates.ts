import type { MaybePromise } from "../domain/store.ts";
import { callerAddress } from "../identity/caller-address.ts";
import { guarded } from "../identity/guard.ts";
import type { RequestView } from "../identity/request-view.ts";
import type { AccessList } from "./access-list.ts";

/** What is decided of a request before anything is counted. */
export type GateAnswer = "count" | "skip" | "deny";

/** What {@link Gates} are made of. */
export interface GateOptions<Raw> {
  readonly allow: AccessList | undefined;
  readonly deny: AccessList | undefined;
  readonly skip: ((request: RequestView<Raw>) => MaybePromise<boolean>) | undefined;
  readonly skipPreflight: boolean;
  readonly skipNotFound: boolean;
  readonly timeoutMs: number;
  /** The address could not be told, or `skip` failed; the request is counted. */
  readonly failed: (error: unknown) => void;
}

/** Who is never counted, and who never served. Denying goes first. */
export class Gates<Raw> {
  readonly #options: GateOptions<Raw>;

  constructor(options: GateOptions<Raw>) {
    this.#options = options;
  }

  answer(request: RequestView<Raw>): MaybePromise<GateAnswer> {
    const { allow, deny, skip, skipPreflight, skipNotFound, timeoutMs, failed } = this.#options;
    if (deny?.hasAddresses === true || allow?.hasAddresses === true) {
      const address = callerAddress(request, failed);
      if (deny?.hasAddress(address) === true) return "deny";
      if (allow?.hasAddress(address) === true) return "skip";
    }
    if (skipPreflight && isPreflight(request)) return "skip";
    if (skipNotFound && request.notFound === true) return "skip";
    if (skip === undefined) return "count";
    return guarded(
      () => skip(request),
      // A promise, an object or 1 is no consent.
      (answer: unknown) => (answer === true ? "skip" : "count"),
      (error) => {
        failed(error);
        return "count";
      },
      timeoutMs,
    );
  }

  /** The same for the keys of a request, which are known later. */
  answerKeys(keys: readonly (string | undefined)[]): GateAnswer {
    const { allow, deny } = this.#options;
    if (keys.some((key) => key !== undefined && deny?.hasKey(key) === true)) return "deny";
    if (keys.some((key) => key !== undefined && allow?.hasKey(key) === true)) return "skip";
    return "count";
  }

  get asksKeys(): boolean {
    return this.#options.allow?.hasKeys === true || this.#options.deny?.hasKeys === true;
  }
}

/** CORS asks before it sends (Fetch standard, 4.9); such a request carries no credentials and does nothing. */
function isPreflight(request: RequestView): boolean {
  return (
    request.method === "OPTIONS" &&
    request.header("origin") !== undefined &&
    request.header("access-control-request-method") !== undefined
  );
}
