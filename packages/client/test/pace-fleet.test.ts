import { setMaxListeners } from "node:events";
import { createFetch } from "../src/index.ts";
import { LimitedApi, type HeaderStyle } from "./support/limited-api.ts";
import { seededRandom } from "./support/seeded-random.ts";
import { VirtualTime } from "./support/virtual-time.ts";

const SECONDS = 60;
const CLIENTS = 20;
const EVERY_MS = (CLIENTS * 1000) / 15;

type Call = () => Promise<unknown>;

/** Twenty clients that want 15 requests a second together, of an API that admits 10; what it decided. */
async function fleet(
  algorithm: string,
  style: HeaderStyle,
  client: (api: LimitedApi, time: VirtualTime, seed: number, signal: AbortSignal) => Call,
): Promise<LimitedApi> {
  const time = new VirtualTime();
  const api = new LimitedApi(time, { limit: "10/second", algorithm: algorithm as "gcra" }, style, seededRandom(1));
  const end = new AbortController();
  setMaxListeners(0, end.signal);
  const calls: Promise<unknown>[] = [];
  const random = seededRandom(2);
  for (let seed = 1; seed <= CLIENTS; seed += 1) {
    const call = client(api, time, seed, end.signal);
    const start = random() * EVERY_MS;
    void (async () => {
      for (let wait = start; ; wait = EVERY_MS) {
        await time.sleep(wait, end.signal);
        calls.push(call().catch(() => {}));
      }
    })().catch(() => {});
  }
  await time.advance(SECONDS * 1000);
  end.abort();
  await Promise.all(calls);
  return api;
}

const paced = (api: LimitedApi, time: VirtualTime, seed: number, signal: AbortSignal): Call => {
  const fetch = createFetch({
    fetch: api.fetch,
    clock: time.clock,
    sleep: time.sleep,
    random: seededRandom(seed),
    signal,
  });
  return () => fetch("http://api.test/items");
};

/** What most people write: exponential backoff with full jitter, blind to headers. */
const plain = (api: LimitedApi, time: VirtualTime, seed: number, signal: AbortSignal): Call => {
  const random = seededRandom(seed);
  return async () => {
    for (let retry = 0; (await api.fetch("", { signal })).status === 429 && retry < 10; retry += 1) {
      await time.sleep(random() * Math.min(30_000, 250 * 2 ** retry), signal);
    }
  };
};

describe("twenty clients that share a quota they want half as much again of", () => {
  let baseline: LimitedApi;
  beforeAll(async () => {
    baseline = await fleet("sliding-window-counter", "epoch", plain);
  }, 300_000);

  test.each([
    ["sliding-window-counter", "epoch", 0.9],
    ["fixed-window", "delta", 0.95],
    ["gcra", "draft-11", 0.95],
  ] as const)(
    "%s, %s headers: nine in ten rejections fewer, and the quota is used",
    async (algorithm, style, share) => {
      const api = await fleet(algorithm, style, paced);
      expect(api.rejected).toBeLessThan(0.1 * baseline.rejected);
      expect(api.admitted).toBeGreaterThanOrEqual(share * 10 * SECONDS);
    },
    300_000,
  );
});
