import { AsyncLocalStorage } from "node:async_hooks";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Hand } from "../../src/memory/hand.ts";
import { memoryStore } from "../../src/memory/memory-store.ts";
import { Segment } from "../../src/memory/segment.ts";
import { SLICE } from "../../src/memory/sweep.ts";
import { manualClock } from "../../src/testing/manual-clock.ts";
import { consume, peek, policyOf } from "./policy-of.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const second = policyOf({ limit: 10, window: 1_000 });

afterEach(() => {
  jest.useRealTimers();
});

describe("house-keeping of the memory store", () => {
  test("A46 a process that used a store ends by itself", () => {
    const helper = join(__dirname, "../support/run-typescript.cjs");
    const { status, stdout, stderr } = spawnSync(process.execPath, [helper, join(__dirname, "fall-off-the-end.ts")], {
      encoding: "utf8",
      timeout: 60_000,
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    // What the loop waits for right after the decision: nothing that takes time.
    expect(JSON.parse(stdout)).not.toContain("Timeout");
  });

  test("A46 closed stores leave no timer, and can be collected", async () => {
    jest.useFakeTimers();
    const stores: WeakRef<object>[] = [];
    for (let i = 0; i < 100; i++) {
      const store = memoryStore();
      consume(store, second, "somebody");
      expect(jest.getTimerCount()).toBe(1);
      store.close();
      store.close();
      consume(store, second, "another");
      expect(jest.getTimerCount()).toBe(0);
      stores.push(new WeakRef(store));
    }
    jest.useRealTimers();
    await new Promise(setImmediate);
    collectGarbage();
    expect(stores.filter((store) => store.deref() !== undefined).length).toBeLessThanOrEqual(1);
  });

  test("A47 a store that is asked no more empties itself, and then keeps no timer", () => {
    jest.useFakeTimers();
    const clock = manualClock();
    const store = memoryStore({ clock, maxKeys: 50_000 });
    expect(jest.getTimerCount()).toBe(0);
    for (let i = 0; i < 50_000; i++) consume(store, second, `key-${i}`);
    store.block([{ policy: second, stateKey: "blocked", cost: 0 }], 4_000);
    expect(store.size).toBe(50_000);
    clock.advance(5_000);
    jest.advanceTimersByTime(5_000);
    expect(store.size).toBe(0);
    expect(jest.getTimerCount()).toBe(0);
    consume(store, second, "key-0");
    expect(jest.getTimerCount()).toBe(1);
    store.close();
  });

  test("A47 a slice goes round once at the most: a store of a few keys costs next to nothing", () => {
    jest.useFakeTimers();
    const store = memoryStore();
    for (const name of ["a", "b", "c"]) consume(store, policyOf({ window: 300_000 }), name);
    store.block([{ policy: second, stateKey: "blocked", cost: 0 }], 300_000);
    const advance = jest.spyOn(Hand.prototype, "advance");
    const trim = jest.spyOn(Segment.prototype, "trim");
    jest.advanceTimersByTime(10_000);
    // Ten slices, each past the eight positions of three tables, and past their ends.
    expect(advance).toHaveBeenCalledTimes(10 * 3 * 8);
    expect(trim.mock.calls.length).toBeLessThanOrEqual(10 * 3);
    jest.restoreAllMocks();
    store.close();
  });

  test("A48 nothing keeps the context of a request, and there is one timer for all", async () => {
    const contexts = new AsyncLocalStorage<object>();
    const policy = policyOf({ window: 300_000 });
    const store = memoryStore();
    const kept: WeakRef<object>[] = [];
    const setTimer = jest.spyOn(globalThis, "setTimeout");
    for (let i = 0; i < 10_000; i++) {
      const context = { request: i };
      kept.push(new WeakRef(context));
      contexts.run(context, () => consume(store, policy, `key-${i}`));
    }
    expect(setTimer).toHaveBeenCalledTimes(1);
    setTimer.mockRestore();
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    collectGarbage();
    expect(kept.filter((context) => context.deref() !== undefined).length).toBeLessThanOrEqual(1);
    store.close();
  });

  test("A49 a window of a year is counted, and no timer is set for it", () => {
    jest.useFakeTimers();
    const day = 86_400_000;
    const clock = manualClock(1_699_920_000_000);
    const store = memoryStore({ clock });
    const year = policyOf({ algorithm: "sliding-window-log", limit: 5, window: 365 * day });
    for (let i = 0; i < 5; i++) expect(consume(store, year, "somebody").allowed).toBe(true);
    expect(consume(store, year, "somebody").allowed).toBe(false);
    const setTimer = jest.spyOn(globalThis, "setTimeout");
    jest.advanceTimersByTime(10_000);
    expect(setTimer.mock.calls.length).toBeLessThanOrEqual(10);
    for (const [, ms] of setTimer.mock.calls) expect(ms).toBeLessThanOrEqual(1_000);
    clock.advance(30 * day);
    expect(consume(store, year, "somebody").retryAfterMs).toBe(335 * day);
    clock.advance(335 * day);
    expect(consume(store, year, "somebody").allowed).toBe(true);
    store.close();
  });

  test("A50 no call and no turn in the background does more than a little of it", () => {
    jest.useFakeTimers();
    const clock = manualClock();
    const store = memoryStore({ clock });
    const policy = policyOf({ limit: 10, window: 1_000 });
    for (let i = 0; i < 200_000; i++) consume(store, policy, `expired-${i}`);
    expect(store.size).toBe(200_000);
    clock.advance(10_000);
    let before = store.size;
    for (let i = 0; i < 1_000; i++) {
      consume(store, policy, `fresh-${i}`);
      // One more, and those that were looked at for it fewer.
      expect(before + 1 - store.size).toBeLessThanOrEqual(3);
      before = store.size;
    }
    expect(store.size).toBeLessThan(200_000);
    for (let turn = 0; turn < 500 && store.size > 0; turn++) {
      jest.advanceTimersToNextTimer();
      expect(before - store.size).toBeLessThanOrEqual(SLICE.removals);
      before = store.size;
    }
    clock.advance(10_000);
    jest.advanceTimersByTime(5_000);
    expect(store.size).toBe(0);
    store.close();
  });

  test("A62 timers that stand still change nothing: time decides", () => {
    jest.useFakeTimers();
    const clock = manualClock(0);
    const store = memoryStore({ clock });
    const policy = policyOf({ limit: 1, window: 10_000 });
    expect(consume(store, policy, "somebody").allowed).toBe(true);
    expect(consume(store, policy, "somebody").allowed).toBe(false);
    clock.set(20_000);
    expect(consume(store, policy, "somebody").allowed).toBe(true);
    store.close();
  });

  test("A62 so does the process's own clock, without one that is injected", () => {
    jest.useFakeTimers();
    const store = memoryStore();
    const policy = policyOf({ algorithm: "token-bucket", limit: 1, window: 10_000 });
    expect(consume(store, policy, "somebody").allowed).toBe(true);
    jest.setSystemTime(Date.now() + 9_000);
    expect(consume(store, policy, "somebody").retryAfterMs).toBe(1_000);
    jest.setSystemTime(Date.now() + 2_000);
    expect(consume(store, policy, "somebody").allowed).toBe(true);
    store.close();
  });

  test("a clock that fails in the background harms nobody", () => {
    jest.useFakeTimers();
    let now: number = 1_700_000_000_000;
    const store = memoryStore({ clock: () => now });
    consume(store, second, "somebody");
    now = NaN;
    expect(() => jest.advanceTimersByTime(3_000)).not.toThrow();
    now = 1_700_000_100_000;
    jest.advanceTimersByTime(2_000);
    expect(store.size).toBe(0);
    store.close();
  });

  test("ever new rates of a limit function do not pile up", async () => {
    const clock = manualClock();
    const store = memoryStore({ clock });
    const heap = async () => {
      // What holds the numbers of arrays is given back some time after the arrays were collected.
      for (let time = 0; time < 3; time++) {
        collectGarbage();
        await new Promise(setImmediate);
      }
      return process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
    };
    const ask = (from: number): void => {
      for (let limit = from; limit < from + 3_000; limit++) {
        const policy = policyOf({ algorithm: "gcra", limit, window: 3_001 });
        clock.advance(1);
        consume(store, policy, "somebody");
        store.reset([{ policy, stateKey: "somebody", cost: 0 }]);
      }
    };
    ask(1_000);
    const before = await heap();
    for (let round = 1; round <= 10; round++) ask(1_000);
    expect((await heap()) - before).toBeLessThan(3_000_000);
    store.close();
  });
});

describe("keys of the memory store", () => {
  const SPECIAL = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf", ""];

  test("A21 may be the names of special properties, and policies too", () => {
    const store = memoryStore({ clock: manualClock() });
    for (const name of ["constructor", "toString"]) {
      const policy = policyOf({ name, limit: 2 });
      for (const key of SPECIAL) {
        expect(peek(store, policy, key).remaining).toBe(2);
        const decisions = [1, 2, 3].map(() => consume(store, policy, key));
        expect(decisions.map(({ allowed }) => allowed)).toEqual([true, true, false]);
        expect(decisions.map(({ remaining }) => remaining)).toEqual([1, 0, 0]);
      }
    }
    expect(Object.keys(Object.prototype)).toEqual([]);
    for (const property of ["keys", "cells", "count", "states", "policy"]) {
      expect(({} as Record<string, unknown>)[property]).toBeUndefined();
    }
    store.close();
  });
});
