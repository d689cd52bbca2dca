import { memoryStore } from "../../src/memory/memory-store.ts";
import { manualClock } from "../../src/testing/manual-clock.ts";
import { promisedStore } from "../support/promised-store.ts";
import { fixed, type Options, type Subject } from "./serve.ts";

/** What is used of a limit of `limit`, once every refund has arrived. */
async function used({ http }: Subject, limit = 10): Promise<number> {
  await new Promise((resolve) => setImmediate(resolve));
  return limit - ((await http.limiter.peek("ip:203.0.113.1")).policies[0]?.remaining as number);
}

const STORES: readonly [string, () => Options][] = [
  ["a plain store", () => ({ store: memoryStore({ clock: manualClock() }) })],
  ["a promised store", () => ({ store: promisedStore(memoryStore({ clock: manualClock() })) })],
];

describe.each(STORES)("after the response, with %s", (_, store) => {
  const subjectOf = (options: Options) => fixed("10/minute", { ...store(), ...options });

  async function ends(subject: Subject, status: number | undefined, aborted?: boolean) {
    const { exchange } = await subject.get();
    exchange.end(status, aborted);
    return used(subject);
  }

  test.each([
    ["a success", 200, false, 1],
    ["a redirect", 304, false, 1],
    ["a client's failure", 404, false, 0],
    ["a server's failure", 500, false, 0],
    ["a client that leaves before the answer", undefined, true, 0],
    ["a client that leaves half-way through a success", 200, true, 1],
    ["a client that leaves half-way through a failure", 500, true, 0],
  ] as const)("A43 skipFailed: %s consumes", async (_, status, aborted, consumed) => {
    expect(await ends(subjectOf({ skipFailed: true }), status, aborted)).toBe(consumed);
  });

  test.each([
    ["a success", 200, false, 0],
    ["a failure", 401, false, 1],
    ["a client that leaves before the answer", undefined, true, 1],
  ] as const)("skipSuccessful: %s consumes", async (_, status, aborted, consumed) => {
    expect(await ends(subjectOf({ skipSuccessful: true }), status, aborted)).toBe(consumed);
  });

  test.each([
    ["less than was charged", 2, 2],
    ["nothing", 0, 0],
    ["more than was charged", 9, 9],
    ["what was charged", 5, 5],
    ["what it leaves undecided", undefined, 5],
  ])("settle may say that a request cost %s", async (_, cost, consumed) => {
    const subject = subjectOf({ settle: () => cost, cost: () => 5 });
    expect(await ends(subject, 200)).toBe(consumed);
  });

  test("settle may be asynchronous, sees the response, and runs once", async () => {
    const seen: unknown[] = [];
    const subject = subjectOf({
      settle: async (response, request) => {
        seen.push(response, request.method);
        return 3;
      },
    });
    const { exchange } = await subject.get();
    await subject.http.meet(exchange, exchange);
    expect(exchange.watchers).toBe(1);
    exchange.end(206);
    expect(await used(subject)).toBe(3);
    expect(seen).toEqual([{ status: 206, aborted: false, raw: "the response" }, "GET"]);
  });

  test("what a handler charged itself stays on top", async () => {
    const subject = subjectOf({ settle: () => 0 });
    const { exchange } = await subject.get();
    await subject.http.handleOf(exchange.raw)?.charge(4);
    exchange.end(200);
    expect(await used(subject)).toBe(4);
  });

  test("a class of cost 0 can be settled for more", async () => {
    const subject = subjectOf({ settle: () => 6, classes: { free: 0 }, defaultClass: "free" });
    expect(await ends(subject, 200)).toBe(6);
  });

  test("a request that was raised is settled for all of it", async () => {
    const subject = subjectOf({ skipFailed: true, classes: { read: 1, heavy: 7 } });
    const { exchange } = await subject.get({}, "read");
    await subject.http.meet(exchange, exchange, "heavy");
    expect(exchange.watchers).toBe(1);
    exchange.end(500);
    expect(await used(subject)).toBe(0);
  });

  test("a rejection gives nothing back, whatever its own status says", async () => {
    const subject = subjectOf({ skipFailed: true, cost: () => 6 });
    await subject.get();
    const { exchange, status } = await subject.get();
    expect(status).toBe(429);
    exchange.end(429);
    expect(await used(subject)).toBe(6);
  });

  test.each([
    [
      "throws",
      () => {
        throw new Error("settle");
      },
    ],
    ["rejects", () => Promise.reject(new Error("settle"))],
  ])("a settle that %s leaves the charge, and is an event", async (_, settle) => {
    const subject = subjectOf({ settle });
    expect(await ends(subject, 200)).toBe(1);
    expect(subject.events).toMatchObject([{ type: "settle-failed" }]);
  });

  test.each([-1, 0.5, NaN, "3"])("a settled cost of %p leaves the charge, and is an event", async (cost) => {
    const subject = subjectOf({ settle: () => cost as number });
    expect(await ends(subject, 200)).toBe(1);
    expect(subject.events).toMatchObject([{ type: "bad-cost" }]);
  });

  test("A44 refunds cannot lift the quota above the limit", async () => {
    const subject = subjectOf({ skipFailed: true });
    const both = [await subject.get(), await subject.get()];
    await subject.http.limiter.reset("ip:203.0.113.1");
    for (const { exchange } of both) exchange.end(500);
    expect(await used(subject)).toBe(0);
    expect((await subject.get()).header("x-ratelimit-remaining")).toBe("9");
  });
});

test("without any of it the end of a response is not even watched", async () => {
  expect((await fixed("10/minute").get()).exchange.watchers).toBe(0);
});
