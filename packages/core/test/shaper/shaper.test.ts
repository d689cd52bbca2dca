import { createShaper, type ShaperOptions } from "../../src/shaper/create-shaper.ts";
import { promisedStore } from "../support/promised-store.ts";
import { referenceStore } from "../../src/testing/reference-store.ts";

const START = 1_699_920_000_000;

beforeEach(() => {
  jest.useFakeTimers({ now: START });
});
afterEach(() => {
  jest.useRealTimers();
});

const sharedStore = () => promisedStore(referenceStore(Date.now));

/** A shaper whose jobs note when they ran. */
function shaperOf(options: Partial<ShaperOptions> = {}) {
  const released: [name: string, at: number][] = [];
  const shaper = createShaper({ store: sharedStore(), limit: "10/second", ...options });
  const run = (name: string, more: { cost?: number; signal?: AbortSignal; takes?: number; result?: unknown } = {}) => {
    const { takes = 0, result, ...runOptions } = more;
    return shaper.run(
      "api",
      async () => {
        released.push([name, Date.now() - START]);
        if (takes > 0) await new Promise((resolve) => setTimeout(resolve, takes));
        return result ?? name;
      },
      runOptions,
    );
  };
  return { shaper, released, run };
}

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);
const settle = (promises: readonly Promise<unknown>[]) => Promise.allSettled(promises);

test("jobs are released evenly and in order, and run resolves with their results", async () => {
  const { shaper, released, run } = shaperOf();
  const results = Promise.all(["a", "b", "c", "d"].map((name) => run(name)));
  expect(shaper.size).toBe(4);
  await pass(1_000);
  expect(released).toEqual([
    ["a", 0],
    ["b", 100],
    ["c", 200],
    ["d", 300],
  ]);
  expect(await results).toEqual(["a", "b", "c", "d"]);
  expect(shaper.size).toBe(0);
});

test("a burst may go at once after a pause, and the rest follows at the rate", async () => {
  const { released, run } = shaperOf({ burst: 3 });
  const results = settle(["a", "b", "c", "d", "e"].map((name) => run(name)));
  await pass(1_000);
  expect(released.map(([, at]) => at)).toEqual([0, 0, 0, 100, 200]);
  await results;
});

test("a job's cost takes as much of the schedule", async () => {
  const { released, run } = shaperOf();
  const results = settle([run("a", { cost: 5 }), run("b"), run("c")]);
  await pass(1_000);
  expect(released.map(([, at]) => at)).toEqual([0, 500, 600]);
  await results;
});

test("two processes together release at the rate, each in its own order", async () => {
  const store = sharedStore();
  const one = shaperOf({ store, name: "hooks", shared: true });
  const two = shaperOf({ store, name: "hooks", shared: true });
  const results = settle(["a", "b", "c", "d", "e"].flatMap((name) => [one.run(`1${name}`), two.run(`2${name}`)]));
  await pass(2_000);
  const all = [...one.released, ...two.released].map(([, at]) => at).sort((a, b) => a - b);
  expect(all).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900]);
  expect(one.released.map(([name]) => name).join("")).toBe("1a1b1c1d1e");
  await results;
});

test("when half of the waiting leave, the rest move up and no two are released together", async () => {
  const { released, run } = shaperOf();
  const leaving = new AbortController();
  const jobs = Array.from({ length: 20 }, (_, i) => run(`${i}`, i % 2 === 1 ? { signal: leaving.signal } : {}));
  const results = settle(jobs);
  await pass(150);
  leaving.abort(new Error("gone"));
  await pass(5_000);
  expect(released.map(([, at]) => at)).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1_000]);
  expect((await results).filter(({ status }) => status === "rejected")).toHaveLength(9);
  await expect(jobs[3]).rejects.toThrow("gone");
});

test("a place whose job leaves and that nobody takes lapses, and the spacing holds", async () => {
  const { released, run } = shaperOf();
  const leaving = new AbortController();
  const results = settle([run("a"), run("b", { signal: leaving.signal })]);
  await pass(50);
  leaving.abort();
  await pass(60);
  const late = run("c");
  await pass(1_000);
  expect(released).toEqual([
    ["a", 0],
    ["c", 200],
  ]);
  await Promise.all([results, late]);
});

test("a signal that has aborted queues nothing", async () => {
  const { shaper, run } = shaperOf();
  await expect(run("a", { signal: AbortSignal.abort(new Error("before")) })).rejects.toThrow("before");
  expect(shaper.size).toBe(0);
});

test("no more than concurrency run at a time, and none is released in a bunch afterwards", async () => {
  const { released, run } = shaperOf({ concurrency: 1 });
  const results = settle([run("a", { takes: 250 }), run("b", { takes: 250 }), run("c")]);
  await pass(2_000);
  expect(released.map(([, at]) => at)).toEqual([0, 250, 500]);
  await results;
});

test("a full queue is an error at once", async () => {
  const { run } = shaperOf({ maxQueue: 2 });
  const results = settle([run("a"), run("b"), run("c")]);
  await pass(1_000);
  expect((await results).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
});

test("a failing job rejects its own run only", async () => {
  const { shaper, run, released } = shaperOf();
  const failing = shaper.run("api", () => {
    throw new Error("no route");
  });
  const results = settle([failing, run("b")]);
  await pass(500);
  await expect(failing).rejects.toThrow("no route");
  expect(released).toEqual([["b", 100]]);
  await results;
});

describe("a Retry-After of finished work pauses the key for everyone", () => {
  const response = (status: number, retryAfter: string) => ({
    status,
    headers: new Headers({ "retry-after": retryAfter }),
  });
  const OUTCOMES: readonly (readonly [string, () => unknown, number])[] = [
    ["a 429 response with seconds", () => response(429, "3"), 3_000],
    ["a 503 response with a date", () => response(503, new Date(START + 3_000).toUTCString()), 3_000],
    [
      "an error with retryAfterMs",
      () => {
        throw Object.assign(new Error("slow"), { retryAfterMs: 3_000 });
      },
      3_000,
    ],
    [
      "an error with such a response",
      () => {
        throw Object.assign(new Error("slow"), { response: response(429, "3") });
      },
      3_000,
    ],
    ["a 200 response with one", () => response(200, "3"), 100],
    ["a 429 response whose Retry-After is no time", () => response(429, "soon"), 100],
  ];
  test.each(OUTCOMES)("%s", async (_, outcome, next) => {
    const store = sharedStore();
    const one = shaperOf({ store, name: "hooks", shared: true });
    const two = shaperOf({ store, name: "hooks", shared: true });
    const first = settle([one.shaper.run("api", outcome)]);
    await pass(50);
    const rest = settle([one.run("b"), two.run("c")]);
    await pass(10_000);
    const all = [...one.released, ...two.released].map(([, at]) => at).sort((a, b) => a - b);
    expect(all).toEqual([next, next + 100]);
    await Promise.all([first, rest]);
  });
});

test("a wait beyond what a timer can hold is waited in full", async () => {
  const { released, run } = shaperOf({ limit: "1/40d" });
  const results = settle([run("a"), run("b")]);
  await pass(40 * 86_400_000 - 1);
  expect(released).toHaveLength(1);
  await pass(1);
  expect(released).toEqual([
    ["a", 0],
    ["b", 40 * 86_400_000],
  ]);
  await results;
});

test("an outage delays jobs and loses none", async () => {
  const store = sharedStore();
  const { released, run } = shaperOf({ store, onStoreError: "deny", probeIntervalMs: 100 });
  store.fault = "reject";
  const results = Promise.all(["a", "b", "c"].map((name) => run(name)));
  await pass(4_500);
  expect(released).toEqual([]);
  store.fault = "none";
  await pass(5_000);
  expect(released.map(([name]) => name)).toEqual(["a", "b", "c"]);
  expect(await results).toHaveLength(3);
});

test("during an outage this process keeps the rate by itself", async () => {
  const store = sharedStore();
  store.fault = "reject";
  const { released, run } = shaperOf({ store, instances: 2 });
  const results = settle(["a", "b", "c"].map((name) => run(name)));
  await pass(2_000);
  expect(released.map(([, at]) => at)).toEqual([0, 200, 400]);
  await results;
});

test("keys have schedules of their own, named by the key option", async () => {
  const released: string[] = [];
  const shaper = createShaper<URL>({ store: sharedStore(), limit: "1/second", key: (url) => url.host });
  const results = settle(
    ["http://a/1", "http://b/1", "http://a/2"].map((url) => shaper.run(new URL(url), () => released.push(url))),
  );
  await pass(10);
  expect(released).toEqual(["http://a/1", "http://b/1"]);
  await pass(1_000);
  expect(released).toHaveLength(3);
  await results;
});

test("close drains, takes no more, and is felt by idle", async () => {
  const { shaper, released, run } = shaperOf();
  const results = settle(["a", "b"].map((name) => run(name)));
  let idle = false;
  void shaper.idle().then(() => (idle = true));
  const closed = shaper.close();
  await expect(run("c")).rejects.toMatchObject({ code: "ERR_AFORO_CLOSED" });
  expect(idle).toBe(false);
  await pass(500);
  await Promise.all([closed, results]);
  expect(idle).toBe(true);
  expect(released).toHaveLength(2);
});

test("close without draining rejects what waits and lets what runs end", async () => {
  const { shaper, run } = shaperOf();
  const results = settle([run("a", { takes: 300 }), run("b"), run("c")]);
  await pass(10);
  const closed = shaper.close({ drain: false });
  await pass(1_000);
  await closed;
  expect((await results).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
});

test.each([[0], [-1], [1.5], [NaN], ["1"], [2 ** 32]])("a cost of %p is refused", async (cost) => {
  const { run } = shaperOf();
  await expect(run("a", { cost: cost as number })).rejects.toMatchObject({ code: "ERR_AFORO_INVALID_COST" });
});

test("a cost that could never be released is refused, and those behind it go on", async () => {
  const { released, run } = shaperOf();
  const results = settle([run("a", { cost: 5_000 }), run("b")]);
  await pass(1_000);
  expect((await results).map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  expect(released).toEqual([["b", 0]]);
});

test.each([
  [{ limit: undefined }, "limit"],
  [{ limit: "0/second" }, "limit"],
  [{ limit: 5 }, "window"],
  [{ limit: "1/second", window: 5 }, "window"],
  [{ burst: 0 }, "burst"],
  [{ concurrency: 0 }, "concurrency"],
  [{ maxQueue: -1 }, "maxQueue"],
  [{ key: "api" }, "key"],
  [{ concurency: 3 }, 'did you mean "concurrency"'],
  [{ name: "a/b" }, "name"],
])("options of %p are refused, naming the option", (options, named) => {
  expect(() => createShaper({ limit: "1/second", ...options } as never)).toThrow(named);
});
