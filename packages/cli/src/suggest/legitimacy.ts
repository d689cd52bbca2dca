import type { LogLine } from "../log/log-line.ts";

/** Fewer requests say nothing about a caller. */
const ENOUGH = 20;

/**
 * Tells callers whom nobody wants to serve from those that a limit must not hurt. Scanners and guessers of passwords show
 * by what they are answered: more than half of at least 20 requests failed with a 4xx, 429 aside, which only
 * says that a limit was there already.
 */
export class Legitimacy {
  #requests = new Uint32Array(1024);
  #failures = new Uint32Array(1024);

  add(caller: number, failed: boolean): void {
    if (caller >= this.#requests.length) {
      const size = 2 * Math.max(caller, this.#requests.length);
      this.#requests = extended(this.#requests, size);
      this.#failures = extended(this.#failures, size);
    }
    this.#requests[caller] = (this.#requests[caller] as number) + 1;
    if (failed) this.#failures[caller] = (this.#failures[caller] as number) + 1;
  }

  isLegitimate(caller: number): boolean {
    const requests = this.#requests[caller] ?? 0;
    return requests < ENOUGH || 2 * (this.#failures[caller] as number) <= requests;
  }
}

/** Whether the server refused the request for what it was. */
export function hasFailed(line: LogLine): boolean {
  const status = line.field("status");
  return status !== undefined && status.length === 3 && status.startsWith("4") && status !== "429";
}

function extended(from: Uint32Array, size: number): Uint32Array<ArrayBuffer> {
  const to = new Uint32Array(size);
  to.set(from);
  return to;
}
