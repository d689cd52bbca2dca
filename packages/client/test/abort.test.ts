import { getEventListeners } from "node:events";
import { createFetch, type AforoFetch, type CreateFetchOptions } from "../src/index.ts";
import { watchTimers } from "./support/watch-timers.ts";

const URL = "http://api.test/";
const reason = new Error("the user went away");

let timers: ReturnType<typeof watchTimers>;
beforeEach(() => {
  timers = watchTimers();
});
afterEach(() => timers.stop());

/** A client on real timers, and the requests it made. */
function client(
  answer: () => Promise<Response>,
  options: CreateFetchOptions = {},
): { fetch: AforoFetch; requests: () => number } {
  let requests = 0;
  const fetch = createFetch({
    ...options,
    fetch: () => {
      requests += 1;
      return answer();
    },
  }) as unknown as AforoFetch;
  return { fetch, requests: () => requests };
}

const refuse = async (): Promise<Response> => new Response("later", { status: 429, headers: { "retry-after": "30" } });
const hang = (): Promise<Response> => new Promise(() => {});
const listeners = (signal: AbortSignal): number => getEventListeners(signal, "abort").length;

/** Turns of the event loop between the abort and the rejection: time that passes whatever the machine is busy with says nothing. */
async function turnsUntilAborted(call: Promise<unknown>, controller: AbortController): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 100));
  const outcome: { error?: unknown } = {};
  call.catch((error: unknown) => (outcome.error = error));
  controller.abort(reason);
  let turns = 0;
  while (outcome.error === undefined && turns < 1_000) {
    await new Promise(setImmediate);
    turns++;
  }
  expect(outcome.error).toBe(reason);
  return turns;
}

describe("A64 cancelling", () => {
  test("during the wait: rejects with the reason at once, no timer and no second request", async () => {
    const controller = new AbortController();
    const { fetch, requests } = client(refuse);
    expect(await turnsUntilAborted(fetch(URL, { signal: controller.signal }), controller)).toBeLessThanOrEqual(2);
    expect(requests()).toBe(1);
    expect(timers.running()).toBe(0);
    expect(listeners(controller.signal)).toBe(0);
  });

  test("a signal that is already aborted: no request at all", async () => {
    const { fetch, requests } = client(refuse);
    await expect(fetch(URL, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(requests()).toBe(0);
    expect(timers.running()).toBe(0);
  });

  test("during a request, though the underlying fetch pays no heed", async () => {
    const controller = new AbortController();
    const { fetch } = client(hang);
    expect(await turnsUntilAborted(fetch(URL, { signal: controller.signal }), controller)).toBeLessThanOrEqual(2);
  });

  test("by the signal of a Request", async () => {
    const controller = new AbortController();
    const { fetch } = client(refuse);
    expect(
      await turnsUntilAborted(fetch(new Request(URL, { signal: controller.signal })), controller),
    ).toBeLessThanOrEqual(2);
  });

  test("by the client's signal: every call of it", async () => {
    const controller = new AbortController();
    const { fetch } = client(refuse, { signal: controller.signal });
    const other = fetch(URL);
    other.catch(() => {});
    expect(await turnsUntilAborted(fetch(URL), controller)).toBeLessThanOrEqual(2);
    await expect(other).rejects.toBe(reason);
    await expect(fetch(URL)).rejects.toBe(reason);
    expect(listeners(controller.signal)).toBe(0);
  });

  test("while it waits for its turn", async () => {
    const controller = new AbortController();
    const { fetch, requests } = client(hang);
    const first = fetch(URL, { signal: controller.signal });
    const second = fetch(URL, { signal: controller.signal });
    second.catch(() => {});
    expect(await turnsUntilAborted(first, controller)).toBeLessThanOrEqual(2);
    await expect(second).rejects.toBe(reason);
    expect(requests()).toBe(1);
  });

  test.each(["onRetry", "isStillUseful"] as const)("while %s takes its time", async (option) => {
    const controller = new AbortController();
    const { fetch } = client(refuse, { [option]: () => new Promise(() => {}) });
    expect(await turnsUntilAborted(fetch(URL, { signal: controller.signal }), controller)).toBeLessThanOrEqual(2);
  });

  test("while a problem document trickles in", async () => {
    const controller = new AbortController();
    const headers = { "content-type": "application/problem+json", "retry-after": "1" };
    const { fetch } = client(async () => new Response(new ReadableStream(), { status: 429, headers }));
    expect(await turnsUntilAborted(fetch(URL, { signal: controller.signal }), controller)).toBeLessThanOrEqual(2);
  });
});

describe("the deadline", () => {
  test("ends a request that takes too long, and a wait for one's turn", async () => {
    const { fetch } = client(hang, { deadlineMs: 60 });
    const start = performance.now();
    const calls = await Promise.allSettled([fetch(URL), fetch(URL)]);
    expect(performance.now() - start).toBeLessThan(10_000);
    for (const call of calls)
      expect(call).toMatchObject({ status: "rejected", reason: { code: "ERR_AFORO_CLIENT_DEADLINE" } });
    expect(timers.running()).toBe(0);
  });

  test("an answer that comes too late is cancelled", async () => {
    let cancelled = false;
    const late = new ReadableStream({ cancel: () => void (cancelled = true) });
    const { fetch } = client(
      () =>
        new Promise((resolve) =>
          setTimeout(() => resolve(new Response(late, { headers: { "content-length": "1000000" } })), 60),
        ),
      { deadlineMs: 20 },
    );
    await expect(fetch(URL)).rejects.toMatchObject({ code: "ERR_AFORO_CLIENT_DEADLINE" });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(cancelled).toBe(true);
  });

  test("does not cut off a body that is being read", async () => {
    const slow = new ReadableStream({
      pull: async (controller) => {
        await new Promise((resolve) => setTimeout(resolve, 80));
        controller.enqueue(new TextEncoder().encode("late"));
        controller.close();
      },
    });
    const { fetch } = client(async () => new Response(slow), { deadlineMs: 30 });
    expect(await (await fetch(URL)).text()).toBe("late");
  });
});

describe("nothing is left behind", () => {
  test("no listener on either signal and no timer, after successes, failures and retries", async () => {
    const [own, shared] = [new AbortController(), new AbortController()];
    let turn = 0;
    const answers = [
      async () => new Response("fine"),
      async () => new Response(null, { status: 204 }),
      async () => new Response("later", { status: 429, headers: { "retry-after": "0" } }),
      async () => Promise.reject(new TypeError("fetch failed")),
    ];
    const { fetch } = client(() => answers[turn++ % answers.length]!(), {
      signal: shared.signal,
      baseDelayMs: 1,
      maxDelayMs: 2,
      maxRetries: 1,
    });
    for (let call = 0; call < 40; call += 1) {
      const response = await fetch(URL, { signal: own.signal }).catch(() => undefined);
      if (call % 2 === 0) await response?.text();
    }
    expect([listeners(own.signal), listeners(shared.signal)]).toEqual([0, 0]);
    expect(timers.running()).toBe(0);
  });
});
