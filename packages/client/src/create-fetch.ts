import { Call } from "./call.ts";
import { Client } from "./client.ts";
import { resolveOptions, type CreateFetchOptions } from "./options.ts";
import type { FetchOutcome } from "./outcome.ts";
import type { FetchLike, ResponseOf } from "./transport/fetch-like.ts";
import type { InitLike } from "./transport/request-facts.ts";

/** A `fetch` that keeps the rate limit contract; takes and gives what the one it wraps does. */
export type AforoFetch<F extends FetchLike = typeof globalThis.fetch> = F & {
  /** What it took to get a response of this client; `undefined` for any other. */
  outcome(response: ResponseOf<F>): FetchOutcome | undefined;
};

/**
 * Makes a `fetch` that waits as it is told: it honours `Retry-After` and the limit headers of every generation, slows
 * down before the quota is used up, backs off where nothing is stated, and gives up when waiting makes no sense.
 *
 * Like any `fetch` it resolves with whatever response is the last; a failed one that was not tried again has a reason in
 * `outcome(response)`. It rejects with the reason of an abort, with what the underlying `fetch` throws, and with an
 * {@link AforoClientError} at the deadline and when the answer is no longer useful.
 *
 * Make one per server and credential, and share it: pacing and the retry budget are its state.
 *
 * @throws AforoClientError when an option is unknown or has a wrong value
 * @example
 * const apiFetch = createFetch({ deadlineMs: 30_000 });
 * const response = await apiFetch("https://api.example.com/items");
 */
export function createFetch<F extends FetchLike = typeof globalThis.fetch>(
  options: CreateFetchOptions<F> = {},
): AforoFetch<F> {
  const client = new Client(resolveOptions(options));
  const aforoFetch = (input: unknown, init?: InitLike): Promise<unknown> => new Call(client, input, init).run();
  return Object.assign(aforoFetch, {
    outcome: (response: object) => client.outcomes.get(response),
  }) as unknown as AforoFetch<F>;
}
