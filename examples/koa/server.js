// A Koa API under rate limits. `npm start`, then curl what it prints.
import { Router } from "@koa/router";
import Koa from "koa";
import { rateLimit } from "@aforo/koa";

// Behind a proxy: new Koa({ proxy: true, maxIpsCount: 1 }), or clients can't be told apart.
const app = new Koa();

const limit = rateLimit({
  name: "api",
  limit: "100/minute",
  classes: {
    read: 1,
    search: 5,
    export: { cost: 50, algorithm: "token-bucket", limit: "100/minute", burst: 100 },
    login: { limit: "5/minute" },
  },
  defaultClass: "read",
  skip: ({ path }) => path === "/healthz",
});

const router = new Router();
router.get("/", (ctx) => {
  ctx.body = "hello\n";
});
router.get("/search", limit.forClass("search"), (ctx) => {
  ctx.body = { left: ctx.state.rateLimit.remaining };
});
router.post("/export", limit.forClass("export"), (ctx) => {
  ctx.status = 202;
  ctx.body = "exporting\n";
});
router.post("/login", limit.forClass("login"), (ctx) => {
  ctx.status = 401;
});
router.get("/healthz", (ctx) => {
  ctx.body = "ok\n";
});

app.use(limit).use(router.routes());

const server = app.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1", () => {
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : address}`;
  console.log(`listening on ${url}
  curl -i ${url}/                 costs 1 of 100 a minute
  curl -i ${url}/search           costs 5
  curl -i -X POST ${url}/export   costs 50, and two at once at most
  curl -i -X POST ${url}/login    5 a minute
  curl -i ${url}/healthz          is never limited`);
});

for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) {
  process.once(signal, () => server.close(() => void limit.limiter.close()));
}
