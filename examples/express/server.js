// An API under several rate limits. `npm start`, then the curl lines that it prints.
import { createServer } from "node:http";
import express from "express";
import { answerContinue, apiKey, firstOf, ip, memoryStore, rateLimit, redisStore } from "@aforo/express";
import { announce, stopOnSignals } from "./terminal.js";

const accounts = new Map([
  ["key-of-ann", "ann"],
  ["key-of-bob", "bob"],
]);

// With REDIS_URL all processes count together, without it each counts for itself.
const redis = await connect(process.env["REDIS_URL"]);
const store = redis === undefined ? memoryStore() : redisStore(redis);

const limit = rateLimit({
  name: "api",
  store,
  // Whoever presents an API key that is known is counted by account, everybody else by address.
  key: firstOf(apiKey({ resolve: (key) => accounts.get(key) }), ip()),
  policies: [{ name: "caller", limit: "100/minute" }],
  classes: {
    read: 1,
    search: 5,
    // 50 of the caller's quota, and one export every 30 seconds on top of the two that may come at once.
    export: { cost: 50, policies: [{ name: "exports", algorithm: "token-bucket", limit: "100/minute", burst: 100 }] },
    // Guessing one account's password from many networks is as useless as trying many accounts from one.
    login: {
      policies: [
        { name: "account", limit: "5/minute", key: ({ raw }) => raw.body?.account },
        { name: "network", limit: "20/minute", key: ip({ ipv6Prefix: 56 }) },
      ],
    },
  },
  defaultClass: "read",
});

const app = express();
app.disable("x-powered-by");
// Behind a proxy: app.set("trust proxy", 1), or clients can't be told apart.
app.get("/healthz", (_req, res) => void res.send("ok\n"));
app.use(limit);
app.get("/", (_req, res) => void res.send("hello\n"));
app.get("/search", limit.forClass("search"), (req, res) => {
  res.json({ query: req.query["q"] ?? "", left: req.rateLimit.remaining });
});
app.post("/export", limit.forClass("export"), (_req, res) => void res.status(202).send("exporting\n"));
app.post(
  "/login",
  express.json(),
  limit.forClass("login"),
  (_req, res) => void res.status(401).send("wrong password\n"),
);

const server = createServer(app);
answerContinue(server);
server.listen(Number(process.env["PORT"] ?? 3000), () => announce(server, redis === undefined ? "memory" : "Redis"));
stopOnSignals(server, async () => {
  await limit.limiter.close();
  redis?.disconnect();
});

/** @param {string | undefined} url */
async function connect(url) {
  if (url === undefined) return undefined;
  const { Redis } = await import("ioredis");
  return new Redis(url).on("error", (error) => console.error(`Redis: ${error.message}`));
}
