import { inspect, isDeepStrictEqual } from "node:util";
import { FakeExchange } from "./fake-exchange.ts";
import { fixed, type Subject } from "./serve.ts";

/** Meets limiters with one request after another; how often each was charged so far tells what was remembered. */
async function meet(raw: object, ...subjects: readonly Subject[]): Promise<number[]> {
  const used: number[] = [];
  for (const { http } of subjects) {
    const exchange = new FakeExchange({ raw });
    await http.meet(exchange, exchange);
    used.push(100 - Number(http.handleOf(raw)?.remaining));
  }
  return used;
}

const requests: Readonly<Record<string, () => object>> = {
  "a request of Node": () => ({ rawHeaders: ["Host", "localhost"] }),
  "a request without raw headers": () => ({}),
  "one whose raw headers are none": () => ({ rawHeaders: null }),
  "one whose raw headers are frozen": () => ({ rawHeaders: Object.freeze(["Host", "localhost"]) }),
};

describe("what limiters made of a request is remembered", () => {
  for (const [kind, request] of Object.entries(requests)) {
    test(`with ${kind}: each limiter charges it once, however often they meet it`, async () => {
      const [first, second] = [fixed("100/minute", { name: "first" }), fixed("100/minute", { name: "second" })];
      const one = request();
      expect(await meet(one, first, second, first, second)).toEqual([1, 1, 1, 1]);
      expect(await meet(request(), first, second)).toEqual([2, 2]);
      expect(await meet(one, second, first)).toEqual([1, 1]);
      expect(first.http.handleOf(one)?.of("second")).toBe(second.http.handleOf(one));
    });

    test(`with ${kind}: those who inherit from it, or it from them, are the same request`, async () => {
      const [first, second] = [fixed("100/minute", { name: "first" }), fixed("100/minute", { name: "second" })];
      const one = request();
      const heir = Object.create(one) as object;
      expect(await meet(one, first)).toEqual([1]);
      expect(await meet(Object.create(heir) as object, first, second)).toEqual([1, 1]);
      expect(await meet(heir, first)).toEqual([1]);
    });
  }

  test("two requests that share a list of raw headers are two", async () => {
    const subject = fixed("100/minute");
    const rawHeaders: string[] = [];
    const [one, other, third] = [{ rawHeaders }, { rawHeaders }, { rawHeaders }];
    expect(await meet(one, subject)).toEqual([1]);
    expect(await meet(other, subject, subject)).toEqual([2, 2]);
    expect(await meet(third, subject)).toEqual([3]);
    expect(await meet(one, subject)).toEqual([1]);
    expect(await meet(other, subject)).toEqual([2]);
  });

  test("where nobody sees it who prints or compares raw headers", async () => {
    const request = { rawHeaders: ["Host", "localhost"] };
    await meet(request, fixed("100/minute"));
    expect(inspect(request)).toBe("{ rawHeaders: [ 'Host', 'localhost' ] }");
    expect(isDeepStrictEqual(request, { rawHeaders: ["Host", "localhost"] })).toBe(true);
  });
});
