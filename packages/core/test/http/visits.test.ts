import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
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
  "a request of Node": () => new IncomingMessage(new Socket()),
  "a request that is no stream": () => ({}),
  "one whose stream is none": () => ({ _readableState: null }),
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

    test(`with ${kind}: who inherits from it, or is its proxy, is the same request`, async () => {
      const [first, second] = [fixed("100/minute", { name: "first" }), fixed("100/minute", { name: "second" })];
      const one = request();
      expect(await meet(one, first)).toEqual([1]);
      for (const other of [Object.create(one) as object, Object.create(one) as object, new Proxy(one, {}), one]) {
        expect(await meet(other, first)).toEqual([1]);
      }
      expect(await meet(one, second)).toEqual([1]);
    });
  }

  test("on whichever of its proxies and heirs it was met first", async () => {
    const subject = fixed("100/minute");
    const one = new IncomingMessage(new Socket());
    expect(await meet(new Proxy(Object.create(one) as object, {}), subject)).toEqual([1]);
    expect(await meet(one, subject)).toEqual([1]);
  });

  test("whatever becomes of its headers", async () => {
    const subject = fixed("100/minute");
    const one = new IncomingMessage(new Socket());
    await meet(one, subject);
    one.rawHeaders = ["Accept", "*/*"];
    one.headers = { accept: "*/*" };
    expect(await meet(one, subject)).toEqual([1]);
  });
});
