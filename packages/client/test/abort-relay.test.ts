import { getEventListeners } from "node:events";
import { AbortRelay } from "../src/transport/abort-relay.ts";
import { collectGarbage } from "./support/collect-garbage.ts";

test("a source aborts all that are connected to it, with its reason, and not those that were released", () => {
  const relay = new AbortRelay();
  const source = new AbortController();
  const [kept, released] = [new AbortController(), new AbortController()];
  relay.connect(source.signal, kept);
  relay.connect(source.signal, released).release();
  source.abort("why");
  expect([kept.signal.aborted, kept.signal.reason, released.signal.aborted]).toEqual([true, "why", false]);
});

test("a source that has aborted already does so at once", () => {
  const controller = new AbortController();
  new AbortRelay().connect(AbortSignal.abort("why"), controller).release();
  expect(controller.signal.reason).toBe("why");
});

test("the source bears no listener, and works again after all were released", () => {
  const relay = new AbortRelay();
  const source = new AbortController();
  for (let call = 0; call < 3; call += 1) relay.connect(source.signal, new AbortController()).release();
  const last = new AbortController();
  relay.connect(source.signal, last);
  expect(getEventListeners(source.signal, "abort")).toHaveLength(0);
  source.abort();
  expect(last.signal.aborted).toBe(true);
});

test("without AbortSignal.any, as in old browsers, it works the same", () => {
  const { any } = AbortSignal;
  try {
    Object.assign(AbortSignal, { any: undefined });
    const source = new AbortController();
    const relay = new AbortRelay();
    const [kept, released] = [new AbortController(), new AbortController()];
    relay.connect(source.signal, released).release();
    expect(getEventListeners(source.signal, "abort")).toHaveLength(0);
    relay.connect(source.signal, kept);
    source.abort();
    expect(kept.signal.aborted).toBe(true);
  } finally {
    Object.assign(AbortSignal, { any });
  }
});

test("what is connected and forgotten is collected: a long-lived source does not grow", async () => {
  const relay = new AbortRelay();
  const source = new AbortController();
  const connect = async (count: number): Promise<void> => {
    for (let call = 0; call < count; call += 1) relay.connect(source.signal, new AbortController());
    await collectGarbage();
  };
  await connect(20_000);
  const before = process.memoryUsage().heapUsed;
  await connect(20_000);
  const grownBy = (): number => (process.memoryUsage().heapUsed - before) / 20_000;
  // What is forgotten is not always found at once.
  for (let times = 0; times < 20 && grownBy() >= 30; times += 1) await collectGarbage();
  // One AbortSignal.any per call leaves more than 50 bytes each inside the source on Node 20, and 170 on Node 22.
  expect(grownBy()).toBeLessThan(30);
});

test("what is kept with a holder stays connected as long as the holder lives", async () => {
  const relay = new AbortRelay();
  const source = new AbortController();
  const holder = {};
  const reference = ((): WeakRef<AbortController> => {
    const controller = new AbortController();
    relay.connect(source.signal, controller).keepWith(holder);
    return new WeakRef(controller);
  })();
  await collectGarbage();
  source.abort();
  expect([reference.deref()?.signal.aborted, typeof holder]).toEqual([true, "object"]);
});
