// A Fastify API whose routes say in their config what they cost. `npm start`, then curl what it prints.
import Fastify from "fastify";
import { rateLimit } from "@aforo/fastify";

// Behind a proxy: Fastify({ trustProxy: "10.0.0.0/8" }), or clients can't be told apart.
const app = Fastify();

await app.register(rateLimit, {
  name: "api",
  limit: "100/minute",
  classes: { read: 1, search: 5, export: { cost: 50, algorithm: "token-bucket", limit: "100/minute", burst: 100 } },
  defaultClass: "read",
});

app.get("/", async () => "hello\n");
app.get("/search", { config: { rateLimit: "search" } }, async (request) => ({ left: request.rateLimit.remaining }));
app.post("/export", { config: { rateLimit: "export" } }, async (_request, reply) =>
  reply.code(202).send("exporting\n"),
);
// A class of this route alone: five a minute for each address, beside the hundred.
app.post("/login", { config: { rateLimit: { limit: "5/minute" } } }, async (_request, reply) => reply.code(401).send());
app.get("/healthz", { config: { rateLimit: false } }, async () => "ok\n");

const url = await app.listen({ port: Number(process.env["PORT"] ?? 3000), host: "127.0.0.1" });
console.log(`listening on ${url}
  curl -i ${url}/                 costs 1 of 100 a minute
  curl -i ${url}/search           costs 5
  curl -i -X POST ${url}/export   costs 50, and two at once at most
  curl -i -X POST ${url}/login    5 a minute
  curl -i ${url}/healthz          is never limited`);

for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) process.once(signal, () => void app.close());
