import { FakeExchange } from "./fake-exchange.ts";
import { limit, read, type Options, type Subject } from "./serve.ts";

const shaped = (options: Options = {}): Subject =>
  limit({ limit: "100/second", algorithm: "leaky-bucket", ...options });

/** Begins a request that may be held back. */
function begin({ http }: Subject) {
  const exchange = new FakeExchange();
  const outcome = Promise.resolve(http.meet(exchange, exchange)).then((made) => read(exchange, made));
  return { exchange, outcome };
}

describe("a leaky bucket holds requests back", () => {
  test("each for as long as what stands ahead of it takes to drain", async () => {
    jest.useFakeTimers();
    const subject = shaped({ limit: "20/second" });
    const [first, second] = [begin(subject), begin(subject)];
    const gone: string[] = [];
    void first.outcome.then(({ status }) => gone.push(`first ${status}`));
    void second.outcome.then(({ status }) => gone.push(`second ${status}`));
    await jest.advanceTimersByTimeAsync(0);
    expect(gone).toEqual(["first 200"]);
    await jest.advanceTimersByTimeAsync(49);
    expect(gone).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(gone).toEqual(["first 200", "second 200"]);
    jest.useRealTimers();
    expect(second.exchange.getHeader("x-ratelimit-limit")).toBe("20");
  });

  test("until its client leaves; then it does not go on, and writes nothing", async () => {
    const subject = shaped({ limit: "1/minute", burst: 10 });
    await begin(subject).outcome;
    const { exchange, outcome } = begin(subject);
    exchange.end(undefined);
    expect((await outcome).outcome).toEqual({ action: "stop" });
  });

  test("a bounded number of them; beyond that the server has no room, and the charge is given back", async () => {
    const subject = shaped({ limit: "1/minute", burst: 10, maxDelayed: 1, maxDelayMs: 600_000 });
    await begin(subject).outcome;
    const held = begin(subject);
    const answer = await begin(subject).outcome;
    expect([answer.status, answer.header("retry-after")]).toEqual([503, "120"]);
    expect(answer.error?.code).toBe("ERR_AFORO_QUEUE_FULL");
    expect((await subject.http.limiter.peek("ip:203.0.113.1")).policies[0]?.remaining).toBe(8);
    held.exchange.end(undefined);
    await held.outcome;
    const next = begin(subject);
    next.exchange.end(undefined);
    expect((await next.outcome).outcome).toEqual({ action: "stop" });
  });

  test("for no longer than maxDelayMs; who would have to wait longer is told when not to, and gets the charge back", async () => {
    const subject = shaped({ limit: "1/minute", burst: 10, maxDelayMs: 20_000 });
    await begin(subject).outcome;
    const answer = await begin(subject).outcome;
    expect([answer.status, answer.header("retry-after")]).toEqual([429, "40"]);
    expect(answer.json["violated-policies"]).toEqual(["default"]);
    expect((await subject.http.limiter.peek("ip:203.0.113.1")).policies[0]?.remaining).toBe(9);
  });

  test("once, though it meets the limiter again", async () => {
    const subject = shaped({ limit: "20/second" });
    await begin(subject).outcome;
    const { exchange, outcome } = begin(subject);
    const again = Promise.resolve(subject.http.meet(exchange, exchange));
    expect((await outcome).status).toBe(200);
    expect(await again).toEqual({ action: "go" });
    expect(subject.http.meet(exchange, exchange)).toEqual({ action: "go" });
  });
});
