import { once } from "node:events";
import { Client } from "@aforo/testkit";
import { fastify } from "fastify";
import { ip, rateLimit } from "../src/index.ts";

test("a path that cannot be decoded is answered by Fastify before any hook, and counts nothing", async () => {
  const app = fastify();
  await app.register(rateLimit, { limit: "1/minute" });
  let handled = 0;
  app.get("/:name", async () => `${++handled}`);
  await app.ready();
  app.server.listen(0, "127.0.0.1");
  await once(app.server, "listening");
  const client = new Client(app.server);
  for (let request = 0; request < 3; request++) {
    const answer = await client.get("/%");
    expect([answer.status, answer.headers["x-ratelimit-limit"]]).toEqual([400, undefined]);
  }
  expect(handled).toBe(0);
  expect((await app.rateLimit.limiter.peek(ip.key("127.0.0.1"))).policies[0]?.remaining).toBe(1);
  client.close();
  await app.close();
});
