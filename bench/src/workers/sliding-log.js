import { once } from "node:events";
import { createLimiter, memoryStore } from "@aforo/core";
import { redisStore } from "@aforo/core/redis";
import { ThrottlerStorageService } from "@nestjs/throttler";
import { Redis } from "ioredis";

const key = "ip:192.0.2.1";

/**
 * One key whose log is full and stays so: each request comes when the oldest entry has just left, and is admitted.
 * @param {{ name: string, limit: number, port: number }} options
 */
export async function start({ name, limit, port }) {
  let now = Date.UTC(2026, 0, 1);
  const clock = () => now;
  const decide = await decider();
  // One after the other: all that travel in one batch have one time, and one entry.
  for (let hit = 0; hit < limit; hit++) await next();

  return {
    async round(/** @type {{ decisions: number }} */ { decisions }) {
      const cpu = process.cpuUsage();
      let admitted = 0;
      for (let left = decisions; left > 0; left--) if (await next()) admitted++;
      const { user, system } = process.cpuUsage(cpu);
      if (admitted < decisions) throw new Error(`${decisions - admitted} of ${decisions} were denied`);
      return { clientUs: (user + system) / decisions };
    },
  };

  function next() {
    now += 1;
    return decide();
  }

  async function decider() {
    if (name === "@nestjs/throttler, memory") {
      const storage = new ThrottlerStorageService();
      // It reads the wall clock, so its log is full of what does not leave, and the last request is denied.
      return async () => (await storage.increment(key, 3_600_000, limit, 0, "default")).totalHits > 0;
    }
    const client = name === "ours, Redis" ? new Redis({ port, host: "127.0.0.1" }) : undefined;
    if (client !== undefined) await once(client, "ready");
    const store = client === undefined ? memoryStore({ clock }) : redisStore(client, { clock });
    const policies = [{ name: "log", algorithm: /** @type {const} */ ("sliding-window-log"), limit, window: limit }];
    const limiter = createLimiter({ store, policies, storeTimeoutMs: 20_000 });
    return async () => (await limiter.consume(key)).allowed;
  }
}
