import { register } from "node:module";
import { Redis } from "ioredis";

// The test kit's helpers are sources; only this process reads them so, the subjects use the built packages.
register(new URL("../../../packages/testkit/source-hooks.mjs", import.meta.url));
const { startCluster, startRedis } = await import("@aforo/testkit/redis");

export { startCluster, startRedis };

/** Reads what a server says of itself: CPU, bytes, calls. */
export class RedisMeter {
  #client;

  /** @param {{ host: string, port: number }} server */
  constructor({ host, port }) {
    this.#client = new Redis({ host, port });
  }

  async read() {
    const text = await this.#client.info("all");
    const value = (/** @type {string} */ name) => Number(new RegExp(`^${name}:([\\d.]+)`, "m").exec(text)?.[1] ?? 0);
    const calls = (/** @type {string} */ command) =>
      Number(new RegExp(`^cmdstat_${command}:calls=(\\d+)`, "m").exec(text)?.[1] ?? 0);
    return {
      cpuUs: (value("used_cpu_user") + value("used_cpu_sys")) * 1e6,
      bytes: value("total_net_input_bytes") + value("total_net_output_bytes"),
      scripts: calls("evalsha") + calls("eval"),
    };
  }

  async close() {
    await this.#client.quit();
  }
}

/**
 * What servers did meanwhile, all in all.
 * @template Value
 * @param {readonly RedisMeter[]} meters
 * @param {() => Promise<Value>} action
 */
export async function metered(meters, action) {
  const before = await Promise.all(meters.map((meter) => meter.read()));
  const value = await action();
  const after = await Promise.all(meters.map((meter) => meter.read()));
  const spent = (/** @type {"cpuUs" | "bytes" | "scripts"} */ what) =>
    after.reduce((sum, reading, index) => sum + reading[what] - (before[index]?.[what] ?? 0), 0);
  return { value, cpuUs: spent("cpuUs"), bytes: spent("bytes"), scripts: spent("scripts") };
}
