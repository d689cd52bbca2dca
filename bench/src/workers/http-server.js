import { once } from "node:events";
import { Redis } from "ioredis";
import { listen } from "../servers/index.js";

/** @param {{ framework: string, name: string, redisPort: number, limit: number, windowMs: number }} options */
export async function start({ framework, name, redisPort, limit, windowMs }) {
  const client = name.includes("Redis") ? new Redis({ port: redisPort, host: "127.0.0.1" }) : undefined;
  if (client !== undefined) await once(client, "ready");
  const server = await listen(framework, name, { limit, windowMs, client });
  const address = server.address();
  return {
    port: () => (typeof address === "object" ? address?.port : undefined),
    cpuUs() {
      const { user, system } = process.cpuUsage();
      return user + system;
    },
  };
}
