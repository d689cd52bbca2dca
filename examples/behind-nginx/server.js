// One of several instances of an API. They count together in Redis.
import express from "express";
import { Redis } from "ioredis";
import { rateLimit, redisStore } from "@aforo/express";

const redis = new Redis(process.env["REDIS_URL"] ?? "redis://127.0.0.1:6379");
redis.on("error", (error) => console.error(`Redis: ${error.message}`));

const app = express();
// nginx is the one proxy in front: the client is whom nginx names, not what the client writes.
app.set("trust proxy", 1);

const limit = rateLimit({
  name: "api",
  store: redisStore(redis),
  limit: "10/minute",
  // While Redis is away each of the two instances enforces half.
  onStoreError: "local",
  instances: 2,
});
app.use(limit);
app.get("/", (_req, res) => void res.send(`answered by process ${process.pid}\n`));

const server = app.listen(Number(process.env["PORT"]), "127.0.0.1", () => process.send?.("ready"));
process.once("SIGTERM", () => {
  server.close(() => {
    void limit.limiter.close();
    redis.disconnect();
    process.disconnect?.();
  });
});
