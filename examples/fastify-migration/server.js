// A Fastify API that moves from @fastify/rate-limit route by route. `npm start`, then curl what it prints.
import Fastify from "fastify";
import theirs from "@fastify/rate-limit";
import { rateLimit } from "@aforo/fastify";

const app = Fastify();

// Both plugins call themselves rateLimit; this one goes by another name until the other has gone.
await app.register(theirs, { global: false });
await app.register(rateLimit, { as: "aforo", global: false, limit: "10/minute", classes: { read: 1, search: 4 } });

app.get("/old", { config: { rateLimit: { max: 3, timeWindow: "1 minute" } } }, async () => "counted by them\n");
app.get("/new", { config: { aforo: "search" } }, async (request) => `${request.aforo.remaining} left\n`);
app.get("/newer", { onRequest: app.aforo.forClass("read") }, async (request) => `${request.aforo.remaining} left\n`);

const url = await app.listen({ port: Number(process.env["PORT"] ?? 3000), host: "127.0.0.1" });
console.log(`listening on ${url}
  curl -i ${url}/old     3 a minute, by @fastify/rate-limit
  curl -i ${url}/new     costs 4 of 10 a minute
  curl -i ${url}/newer   costs 1 of the same`);

for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) process.once(signal, () => void app.close());
