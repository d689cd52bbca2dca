import Fastify from "fastify";
import { rateLimit } from "@aforo/fastify";
import { tell } from "./story.js";

async function start(): Promise<void> {
  const fastify = Fastify();
  await fastify.register(rateLimit, { limit: "2/day", algorithm: "fixed-window" });
  fastify.get("/", async (request) => `${request.rateLimit?.remaining} left`);
  fastify.get("/free", { config: { rateLimit: false } }, async () => "free");
  await fastify.listen({ port: 0 });
  await tell(fastify.server);
}

void start();
