// One of several sender processes: takes a burst of webhooks and delivers them at the rate that all share.
import { once } from "node:events";
import { createShaper } from "@aforo/core";
import { redisStore } from "@aforo/core/redis";
import { Redis } from "ioredis";

const [, , redisUrl, webhookUrl, sender, count] = process.argv;
const redis = new Redis(redisUrl);
await once(redis, "ready");
const shaper = createShaper({
  name: "webhooks",
  shared: true, // every process means the same schedule
  store: redisStore(redis),
  limit: "10/second",
  instances: 2, // should Redis fail, each process goes on at half the rate
  maxQueue: 10_000,
  key: (url) => new URL(url).host, // one schedule per receiver
});

await Promise.all(
  Array.from({ length: Number(count) }, (_, number) =>
    shaper.run(webhookUrl, ({ signal }) =>
      fetch(webhookUrl, { method: "POST", body: JSON.stringify({ sender, number }), signal }),
    ),
  ),
);
await shaper.close();
await redis.quit();
