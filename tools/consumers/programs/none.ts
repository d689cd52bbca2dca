import assert from "node:assert/strict";
import { createServer } from "node:http";
import { createFetch } from "@aforo/client";
import { createLimiter, memoryStore, type Decision } from "@aforo/core";
import { redisStore } from "@aforo/core/redis";
import { tell } from "./story.js";

const policies = [{ name: "default", limit: "2/day", algorithm: "fixed-window" }] as const;
const limiter = createLimiter({ name: "api", policies, store: memoryStore({ maxKeys: 1_000 }) });
assert.equal(typeof redisStore, "function");
assert.equal(typeof createFetch(), "function");

const server = createServer((_request, response) => {
  const { allowed, binding, retryAfterMs }: Decision = limiter.consume("everybody");
  response.setHeader("X-RateLimit-Limit", `${binding?.limit}`);
  response.setHeader("X-RateLimit-Remaining", `${binding?.remaining}`);
  if (!allowed) response.setHeader("Retry-After", Math.ceil(retryAfterMs / 1_000));
  response.statusCode = allowed ? 200 : 429;
  response.end();
});
server.listen(0, () => void tell(server));
