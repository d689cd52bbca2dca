import { DelayQueue, type Place } from "../../src/http/delay-queue.ts";
import type { ResponsePort } from "../../src/http/response-port.ts";

beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
});
afterEach(() => {
  jest.useRealTimers();
});

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

/** A queue whose waiters note when they went on, and can leave. */
function queueOf(max = 1_000) {
  const queue = new DelayQueue(max);
  const released: string[] = [];
  const gone: string[] = [];
  const leave = new Map<string, () => void>();
  const hold = (name: string, place: Partial<Place> & { ms: number }) => {
    const port = { onEnd: (listener: () => void) => leave.set(name, listener) } as unknown as ResponsePort;
    const held = queue.hold({ cost: 1, lane: "lane", ...place }, port);
    void held?.then((goesOn) => (goesOn ? released.push(`${name} ${Date.now()}`) : gone.push(name)));
    return held !== undefined;
  };
  return { queue, released, gone, hold, leave: (name: string) => leave.get(name)?.() };
}

test("whoever is held goes on at its time, in the order of release, on one timer", async () => {
  const { released, hold } = queueOf();
  hold("c", { ms: 300 });
  hold("a", { ms: 100 });
  hold("b", { ms: 200 });
  expect(jest.getTimerCount()).toBe(1);
  await pass(99);
  expect(released).toEqual([]);
  await pass(1_000);
  expect(released).toEqual(["a 100", "b 200", "c 300"]);
  expect(jest.getTimerCount()).toBe(0);
});

test("when half of them leave, the rest move up and no two go on together", async () => {
  const { released, gone, hold, leave } = queueOf();
  for (let i = 0; i < 10; i++) hold(`${i}`, { ms: 100 * (i + 1) });
  await pass(150);
  for (const name of ["1", "3", "5", "7", "9"]) leave(name);
  await pass(2_000);
  expect(gone).toEqual(["1", "3", "5", "7", "9"]);
  expect(released).toEqual(["0 100", "2 200", "4 300", "6 400", "8 500"]);
});

test("places of other lanes, and of requests that several schedules hold, are nobody else's", async () => {
  const { released, hold, leave } = queueOf();
  hold("a", { ms: 100, lane: "one" });
  hold("b", { ms: 200, lane: "two" });
  hold("c", { ms: 300, lane: undefined });
  hold("d", { ms: 400, lane: undefined });
  leave("a");
  leave("c");
  await pass(1_000);
  expect(released).toEqual(["b 200", "d 400"]);
});

test("a place passes only to whom it is large enough for, so the spacing holds", async () => {
  const { released, hold, leave } = queueOf();
  hold("small", { ms: 100, cost: 1 });
  hold("large", { ms: 200, cost: 5 });
  hold("medium", { ms: 700, cost: 1 });
  leave("small");
  await pass(1_000);
  expect(released).toEqual(["medium 100", "large 200"]);
});

test("one more than fits is refused, and there is room again when somebody leaves or goes on", async () => {
  const { queue, hold, leave } = queueOf(2);
  expect([hold("a", { ms: 100 }), hold("b", { ms: 200 }), hold("c", { ms: 300 })]).toEqual([true, true, false]);
  leave("a");
  expect(hold("d", { ms: 300 })).toBe(true);
  await pass(1_000);
  expect(queue.size).toBe(0);
});

test("whoever waits at shutdown goes on at once", async () => {
  const { queue, released, hold } = queueOf();
  hold("a", { ms: 100 });
  hold("b", { ms: 200 });
  queue.releaseAll();
  await pass(0);
  expect(released).toEqual(["a 0", "b 0"]);
  expect(jest.getTimerCount()).toBe(0);
});

test("leaving after having gone on, or twice, changes nothing", async () => {
  const { released, gone, hold, leave } = queueOf();
  hold("a", { ms: 100 });
  hold("b", { ms: 200 });
  await pass(100);
  leave("a");
  leave("a");
  await pass(100);
  expect([released, gone]).toEqual([["a 100", "b 200"], []]);
});
