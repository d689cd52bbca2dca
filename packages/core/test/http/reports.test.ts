import type { DecisionRecord } from "../../src/index.ts";
import { fixed, limit, read, type Options } from "./serve.ts";
import { FakeExchange } from "./fake-exchange.ts";
import { listen, stopListening } from "../observe/listen.ts";

afterEach(stopListening);

const SECRET = "a secret of the tests";

/** A limiter, and what it tells of decisions and of responses. */
function reported(options: Options) {
  const decided: DecisionRecord[] = [];
  const completed: DecisionRecord[] = [];
  const subject = fixed("2/minute", {
    secret: SECRET,
    onDecision: (record) => void decided.push(record),
    onResponse: (record) => void completed.push(record),
    ...options,
  });
  const meet = async (exchange: FakeExchange, className?: string) =>
    read(exchange, await subject.http.meet(exchange, exchange, className));
  return { decided, completed, meet, subject };
}

describe("onDecision and onResponse", () => {
  test("get the record when decided, and again with the status when the response is complete", async () => {
    const { decided, completed, meet } = reported({});
    const exchange = new FakeExchange();
    await meet(exchange);
    expect(decided).toMatchObject([{ decision: "admitted", keyKind: "ip", remaining: 1 }]);
    expect(completed).toEqual([]);
    exchange.end(204);
    expect(completed).toEqual([{ ...decided[0], status: 204, aborted: false }]);
  });

  test("get rejections, aborted responses and responses without a head as well", async () => {
    const { completed, meet } = reported({});
    for (const [status, aborted] of [
      [200, true],
      [undefined, true],
      [429, false],
    ] as const) {
      const exchange = new FakeExchange();
      await meet(exchange);
      exchange.end(status, aborted);
    }
    expect(completed.map(({ decision, status, aborted }) => [decision, status, aborted])).toEqual([
      ["admitted", 200, true],
      ["admitted", undefined, true],
      ["denied", 429, false],
    ]);
  });

  test("get one response of a request that meets the limiter twice, with what was decided last", async () => {
    const { decided, completed, meet } = reported({ classes: { read: 1, export: 2 }, defaultClass: "read" });
    const exchange = new FakeExchange();
    await meet(exchange);
    await meet(exchange, "export");
    exchange.end(200);
    expect(decided.map((record) => [record.class, record.raised, record.cost])).toEqual([
      ["read", false, 1],
      ["export", true, 2],
    ]);
    expect(completed).toMatchObject([{ class: "export", raised: true, remaining: 0, status: 200 }]);
  });

  test("hear of the same requests under one sample", async () => {
    const { decided, completed, meet } = reported({ limit: "1000/minute", sample: 0.3 });
    for (let i = 0; i < 300; i++) {
      const exchange = new FakeExchange();
      await meet(exchange);
      exchange.end(200);
    }
    expect(decided.length).toBeGreaterThan(30);
    expect(decided.length).toBeLessThan(200);
    expect(completed).toEqual(decided.map((record) => ({ ...record, status: 200, aborted: false })));
  });

  test("hear of what is decided by hand without a request", async () => {
    const requests: unknown[] = [];
    const { subject } = reported({ onDecision: (_record, request) => void requests.push(request) });
    await subject.http.limiter.consume("user:42");
    await subject.get();
    expect(requests).toEqual([undefined, expect.any(FakeExchange)]);
  });

  test("hear nothing of requests that are skipped", async () => {
    const { decided, completed, meet } = reported({ skip: () => true });
    const exchange = new FakeExchange();
    await meet(exchange);
    exchange.end(200);
    expect([decided, completed]).toEqual([[], []]);
  });

  test("may throw: the response is served all the same", async () => {
    const fails = (): never => {
      throw new Error("the logger is full");
    };
    const { meet } = reported({ onDecision: fails, onResponse: fails });
    const exchange = new FakeExchange();
    expect((await meet(exchange)).status).toBe(200);
    exchange.end(200);
  });

  test("know a caller by one hash, whatever the limiter", async () => {
    const hashes: unknown[] = [];
    for (const name of ["one", "other"]) {
      const subject = limit({
        name,
        limit: "5/minute",
        secret: SECRET,
        onDecision: ({ keyHash }) => void hashes.push(keyHash),
      });
      await subject.get({ ip: "192.0.2.7" });
    }
    expect(hashes[0]).toMatch(/^[0-9a-f]{16}$/);
    expect(hashes[1]).toBe(hashes[0]);
  });
});

test("the channel aforo:response carries every response, whatever the sample, each once", async () => {
  const heard = listen<DecisionRecord>("aforo:response");
  const { completed, meet } = reported({ sample: 0 });
  for (const status of [200, 200, 429]) {
    const exchange = new FakeExchange();
    await meet(exchange);
    exchange.end(status);
  }
  expect(heard.map(({ decision, status }) => [decision, status])).toEqual([
    ["admitted", 200],
    ["admitted", 200],
    ["denied", 429],
  ]);
  expect(completed).toEqual([]);
});
