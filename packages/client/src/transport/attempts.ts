import { cancel } from "./discard.ts";
import { freeStreamOf } from "./fetch-like.ts";
import { isRequest, type InitLike, type RequestLike } from "./request-facts.ts";

/** The members that an init can have; `dispatcher` is undici's. Needed only to copy an init that is no plain object. */
const INIT_MEMBERS = (
  "method headers body mode credentials cache redirect referrer referrerPolicy integrity keepalive duplex priority " +
  "window dispatcher"
).split(" ");

/** Makes the arguments of each attempt of one call, so that every attempt sends the whole request. */
export class Attempts {
  readonly #input: unknown;
  readonly #init: object;
  /** A request whose own body is sent; kept as the copy that further attempts are cloned from. */
  #spare: RequestLike | undefined;

  constructor(input: unknown, init: InitLike | undefined, signal: AbortSignal) {
    this.#input = input;
    this.#init = { ...(isRequest(init) ? pickMembers(init) : init), signal };
    this.#spare = isRequest(input) && isStream(input.body) && !isPresent(init?.body) ? input : undefined;
  }

  /**
   * @param last - Whether no further attempt can follow; then the caller's own request is sent, not a clone, so that a
   * body which is sent once is not kept in memory.
   */
  next(last: boolean): [input: unknown, init: object] {
    const input = last ? this.#input : (this.#spare?.clone() ?? this.#input);
    if (last) this.#spare = undefined;
    return [input, this.#init];
  }

  /** Lets go of the body that was kept for another attempt. */
  end(): void {
    const kept = this.#spare === undefined ? undefined : freeStreamOf(this.#spare);
    if (kept !== undefined) cancel(kept);
  }
}

function pickMembers(init: object): object {
  const members = init as Record<string, unknown>;
  return Object.fromEntries(
    INIT_MEMBERS.filter((name) => members[name] !== undefined).map((name) => [name, members[name]]),
  );
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isStream(body: unknown): boolean {
  return typeof body === "object" && body !== null;
}
