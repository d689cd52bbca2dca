import { createLimiter, memoryStore, type Policy } from "@aforo/core";
import type { VirtualTime } from "./virtual-time.ts";

/** Which headers a simulated API answers with. */
export type HeaderStyle = "epoch" | "delta" | "draft-11";

/** An API in virtual time, behind a real limiter; every request takes a few milliseconds each way. */
export class LimitedApi {
  readonly statuses: number[] = [];
  /** Milliseconds at which requests were decided. */
  readonly decidedAt: number[] = [];
  readonly #time: VirtualTime;
  readonly #style: HeaderStyle;
  readonly #random: () => number;
  readonly #decide: () => { allowed: boolean; retryAfterMs: number; binding: Binding };

  constructor(time: VirtualTime, policy: Omit<Policy, "name">, style: HeaderStyle, random: () => number) {
    this.#time = time;
    this.#style = style;
    this.#random = random;
    const limiter = createLimiter({
      name: "api",
      store: memoryStore({ clock: () => Math.floor(time.clock()) }),
      policies: [{ name: "p", ...policy }],
    });
    this.#decide = () => limiter.consume("everybody") as { allowed: boolean; retryAfterMs: number; binding: Binding };
  }

  readonly fetch = async (_input: unknown, init?: { signal?: AbortSignal | null }): Promise<Response> => {
    const signal = init?.signal ?? new AbortController().signal;
    await this.#time.sleep(1 + 4 * this.#random(), signal);
    const { allowed, retryAfterMs, binding } = this.#decide();
    this.statuses.push(allowed ? 200 : 429);
    this.decidedAt.push(this.#time.clock());
    const headers = this.#headers(binding, allowed ? binding.resetMs : retryAfterMs);
    if (!allowed) headers.set("retry-after", String(Math.max(1, Math.ceil(retryAfterMs / 1000))));
    await this.#time.sleep(1 + 4 * this.#random(), signal);
    return new Response(null, { status: allowed ? 200 : 429, headers });
  };

  get admitted(): number {
    return this.statuses.filter((status) => status === 200).length;
  }

  get rejected(): number {
    return this.statuses.length - this.admitted;
  }

  #headers({ capacity, window, remaining }: Binding, resetMs: number): Headers {
    const now = this.#time.clock();
    const date = new Date(now).toUTCString();
    const seconds = Math.ceil(resetMs / 1000);
    if (this.#style === "draft-11") {
      return new Headers({
        date,
        "ratelimit-policy": `"p";q=${capacity};w=${Math.ceil(window / 1000)}`,
        ratelimit: `"p";r=${remaining};t=${seconds}`,
      });
    }
    const reset = this.#style === "delta" ? seconds : Math.ceil((now + resetMs) / 1000);
    return new Headers({
      date,
      "x-ratelimit-limit": String(capacity),
      "x-ratelimit-remaining": String(remaining),
      "x-ratelimit-reset": String(reset),
    });
  }
}

interface Binding {
  readonly capacity: number;
  readonly window: number;
  readonly remaining: number;
  readonly resetMs: number;
}
