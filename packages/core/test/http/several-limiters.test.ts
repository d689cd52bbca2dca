import { parseList, type Item } from "structured-headers";
import { FakeExchange } from "./fake-exchange.ts";
import { fixed, limit, read, type Subject } from "./serve.ts";

/** One request that meets several limiters in turn. */
async function through(exchange: FakeExchange, ...subjects: readonly Subject[]) {
  let served = read(exchange, { action: "go" });
  for (const { http } of subjects) {
    served = read(exchange, await http.meet(exchange, exchange));
    if (served.status !== 200) break;
  }
  return served;
}

describe("several limiters on one route", () => {
  test("the tighter answer stays, whichever comes first", async () => {
    const wide = fixed("100/minute", { name: "wide" });
    const tight = fixed("10/minute", { name: "tight" });
    for (const order of [
      [wide, tight],
      [tight, wide],
    ]) {
      const served = await through(new FakeExchange({ ip: `192.0.2.${order.indexOf(wide)}` }), ...order);
      expect(served.header("x-ratelimit-limit")).toBe("10");
      expect(served.header("x-ratelimit-remaining")).toBe("9");
    }
  });

  test("a denial is tighter than any share left", async () => {
    const first = fixed("100/minute", { name: "first" });
    const second = fixed("1/hour", { name: "second" });
    await through(new FakeExchange(), first, second);
    const served = await through(new FakeExchange(), first, second);
    expect(served.status).toBe(429);
    expect(served.header("x-ratelimit-limit")).toBe("1");
    expect(served.header("retry-after")).toBe("3600");
  });

  test("a denial that leaves something is tighter than a share of nothing", async () => {
    const first = fixed("1/minute", { name: "first" });
    const second = fixed("10/minute", { name: "second", cost: (request) => (request.path === "/dear" ? 8 : 3) });
    await through(new FakeExchange({ ip: "192.0.2.1" }), second);
    const served = await through(new FakeExchange({ ip: "192.0.2.1", path: "/dear" }), first, second);
    expect([served.status, served.header("x-ratelimit-limit"), served.header("x-ratelimit-remaining")]).toEqual([
      429,
      "10",
      "7",
    ]);
  });

  test("with drafts the policies of both are listed under names of their own", async () => {
    const options = {
      headers: { draft: "draft-11" } as const,
      policies: [{ name: "account", limit: "5/minute" }],
      limit: undefined as never,
    };
    const first = limit({ ...options, name: "first" });
    const second = limit({ ...options, name: "second" });
    const served = await through(new FakeExchange(), first, second);
    for (const field of ["ratelimit", "ratelimit-policy"]) {
      expect((parseList(served.header(field) as string) as Item[]).map(([name]) => name)).toEqual([
        "account",
        "second.account",
      ]);
    }
  });

  test("each limiter counts, and handlers find what each made of the request", async () => {
    const first = fixed("5/minute", { name: "first" });
    const second = fixed("9/minute", { name: "second" });
    const exchange = new FakeExchange();
    await through(exchange, first, second);
    const handle = second.http.handleOf(exchange.raw);
    expect(handle).toMatchObject({ limiter: "second", remaining: 8, limit: 9, skipped: false });
    expect(handle?.of("first")).toMatchObject({ limiter: "first", remaining: 4 });
    expect(handle?.of("third")).toBeUndefined();
  });
});
