import { createFetch, type AforoFetch, type CreateFetchOptions, type RetryEvent } from "../../src/index.ts";
import { seededRandom } from "./seeded-random.ts";
import { EPOCH, VirtualTime } from "./virtual-time.ts";

/** What a scripted server answers: a status with headers, a response, or an error to throw. */
export type Step =
  readonly [status: number, headers?: Record<string, string>, body?: string] | (() => Response) | Error;

export interface Scripted {
  readonly fetch: AforoFetch;
  readonly time: VirtualTime;
  /** Milliseconds from the start to each request. */
  readonly requestedAt: number[];
  readonly retries: RetryEvent[];
  /** Milliseconds between the requests. */
  waits(): number[];
}

/** A client whose server answers by a script (the last step for ever) and whose time is virtual. */
export function scripted(
  steps: readonly Step[],
  options: Omit<CreateFetchOptions, "fetch" | "clock" | "sleep"> = {},
  time: VirtualTime = new VirtualTime(),
): Scripted {
  const requestedAt: number[] = [];
  const retries: RetryEvent[] = [];
  const answer = async (): Promise<Response> => {
    const step = steps[Math.min(requestedAt.length, steps.length - 1)]!;
    requestedAt.push(time.clock() - EPOCH);
    if (step instanceof Error) throw step;
    if (typeof step === "function") return step();
    const [status, headers = {}, body = "body"] = step;
    return new Response(status === 204 ? null : body, { status, headers });
  };
  const fetch = createFetch({
    random: seededRandom(1),
    onRetry: (event) => retries.push(event),
    ...options,
    fetch: answer,
    clock: time.clock,
    sleep: time.sleep,
  }) as unknown as AforoFetch;
  return {
    fetch,
    time,
    requestedAt,
    retries,
    waits: () => requestedAt.slice(1).map((at, index) => at - requestedAt[index]!),
  };
}
