import { AsyncLocalStorage } from "node:async_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createLimiter, memoryStore, type MemoryStore } from "../../src/index.ts";
import { manualClock } from "../../src/testing/manual-clock.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

afterEach(() => {
  jest.useRealTimers();
});

const perSecond = (store: MemoryStore, limit = 10) =>
  createLimiter({ store, policies: [{ name: "p", algorithm: "fixed-window", limit, window: "1s" }] });

test("A46 no timer keeps the process alive, whether stores are closed or forgotten", async () => {
  const active = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout");
  const before = active().length;
  const limiters = Array.from({ length: 100 }, (_, i) =>
    createLimiter({ name: `l${i}`, policies: [{ name: "p", limit: "10/minute" }] }),
  );
  for (const limiter of limiters) limiter.consume("k");
  expect(active().length).toBe(before);
  for (const limiter of limiters) await limiter.close();
  expect(active().length).toBe(before);
});

test("A47 a flood of new keys stays within the bound, leaves an ordinary client's quota alone, and is gone after it", () => {
  jest.useFakeTimers();
  const clock = manualClock();
  const store = memoryStore({ clock, maxKeys: 50_000 });
  const limiter = perSecond(store, 5);
  const client: (number | undefined)[] = [];
  let most = 0;
  for (let key = 0; key < 1_000_000; key++) {
    if (key % 100 === 0) clock.advance(1);
    if (key % 20_000 === 0) client.push(limiter.consume("ordinary").policies[0]?.remaining);
    limiter.consume(`made up ${key}`);
    most = Math.max(most, store.size);
  }
  expect(most).toBeLessThanOrEqual(50_000);
  // Five requests a second of five allowed: as if nobody else were there.
  expect(client).toEqual(Array.from({ length: 50 }, (_, i) => 4 - (i % 5)));
  clock.advance(5_000);
  jest.advanceTimersByTime(60_000);
  expect(store.size).toBe(0);
});

test("A47 a caller at its limit is not freed by a flood of made-up keys", () => {
  const store = memoryStore({ clock: manualClock(), maxKeys: 1_000 });
  const limiter = perSecond(store, 1);
  limiter.consume("limited");
  for (let key = 0; key < 20_000; key++) limiter.consume(`made up ${key}`);
  expect(limiter.consume("limited").allowed).toBe(false);
  expect(store.size).toBeLessThanOrEqual(1_000);
});

test("A48 nothing of a request's context is kept", async () => {
  const context = new AsyncLocalStorage<Uint8Array>();
  const limiter = createLimiter({ policies: [{ name: "p", limit: "10/5m" }] });
  const before = process.getActiveResourcesInfo().length;
  const { heapUsed, arrayBuffers } = await settledMemory();
  for (let i = 0; i < 10_000; i++) context.run(new Uint8Array(100_000), () => limiter.consume(`user ${i}`));
  const after = await settledMemory();
  expect(after.heapUsed + after.arrayBuffers - heapUsed - arrayBuffers).toBeLessThan(20e6);
  expect(process.getActiveResourcesInfo().length - before).toBeLessThanOrEqual(1);
  void limiter.close();
});

/** Buffers are freed a turn after what held them. */
async function settledMemory(): Promise<NodeJS.MemoryUsage> {
  for (let turn = 0; turn < 3; turn++) {
    collectGarbage();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return process.memoryUsage();
}

test("A62 expiry is decided from the clock when read, though no timer ever fires", () => {
  jest.useFakeTimers();
  const clock = manualClock();
  const limiter = createLimiter({
    store: memoryStore({ clock }),
    policies: [{ name: "p", limit: "1/10s", algorithm: "fixed-window" }],
  });
  expect([limiter.consume("k").allowed, limiter.consume("k").allowed]).toEqual([true, false]);
  clock.advance(10_000);
  expect(limiter.consume("k").allowed).toBe(true);
});

test.each([
  [{ maxKeys: 0 }, "maxKeys"],
  [{ maxKeys: 1.5 }, "maxKeys"],
  [{ maxKeys: "many" }, "maxKeys"],
  [{ clock: 5 }, "clock"],
  [{ maxkeys: 5 }, 'did you mean "maxKeys"'],
])("options of %p are refused, naming the option", (options, named) => {
  expect(() => memoryStore(options as never)).toThrow(named);
});
