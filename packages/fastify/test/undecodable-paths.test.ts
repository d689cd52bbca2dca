import { fastify } from "fastify";
import { ip, rateLimit } from "../src/index.ts";

test("a path that cannot be decoded is answered by Fastify before any hook, and counts nothing", async () => {
  const app = fastify();
  await app.register(rateLimit, { limit: "1/minute" });
  let handled = 0;
  app.get("/:name", async () => `${++handled}`);
  for (let request = 0; request < 3; request++) {
    const answer = await app.inject({ url: "/%" });
    expect([answer.statusCode, answer.headers["x-ratelimit-limit"]]).toEqual([400, undefined]);
  }
  expect(handled).toBe(0);
  expect((await app.rateLimit.limiter.peek(ip.key("127.0.0.1"))).policies[0]?.remaining).toBe(1);
  await app.close();
});
