import fc from "fast-check";
import { Redis } from "ioredis";
import { startRedis, type RedisServer } from "../../../testkit/src/redis/index.ts";
import { ALGORITHMS } from "../../src/domain/algorithm-name.ts";
import { memoryStore } from "../../src/memory/memory-store.ts";
import { redisStore } from "../../src/redis/index.ts";
import { START, historyOf, type History, type HistoryOptions } from "../../src/testing/history.ts";
import { manualClock } from "../../src/testing/manual-clock.ts";
import { playTwice } from "../../src/testing/play-twice.ts";
import { ready } from "./clients.ts";

const TRACES = 1_000;
/** So many go on beside each other, since each of their steps waits for Redis. */
const AT_ONCE = 25;

let server: RedisServer;
let redis: Redis;

beforeAll(async () => {
  server = await startRedis();
  redis = await ready(new Redis(server.port));
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

/** One clock for both stores: every decision, remaining, reset and wait must be the same number. */
async function play(history: History): Promise<void> {
  const clock = manualClock(START);
  const stores = [redisStore(redis, { clock }), memoryStore({ clock })] as const;
  try {
    await playTwice(history, clock, ...stores);
  } finally {
    for (const store of stores) await store.close();
  }
}

async function playMany(options: HistoryOptions): Promise<void> {
  const histories = fc.array(historyOf(options), { minLength: AT_ONCE, maxLength: AT_ONCE });
  await fc.assert(
    fc.asyncProperty(histories, async (each) => void (await Promise.all(each.map(play)))),
    { numRuns: TRACES / AT_ONCE },
  );
}

test.each(ALGORITHMS)(
  "A67 1,000 random traces have the same answers in memory and in Redis (%s)",
  (algorithm) => playMany({ algorithms: [algorithm], policies: 1, keysPerCall: 1 }),
  300_000,
);

test(
  "A67 1,000 random traces of several policies and keys have the same answers in memory and in Redis",
  () => playMany({ algorithms: ALGORITHMS, policies: 3, keysPerCall: 3 }),
  300_000,
);
