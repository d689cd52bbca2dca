// An API whose answers proxies may cache, counted by the address of the client and not by that of the proxy.
import express from "express";
import { ip, rateLimit } from "@aforo/express";

/**
 * @param {number} proxies how many stand in front, in a row
 * @returns {express.Express}
 */
export function createApp(proxies) {
  const app = express();
  app.disable("x-powered-by");
  // Each proxy writes whom it got the request from behind what stands in X-Forwarded-For already; so the client is that
  // many entries from the end, and whatever it wrote itself stands before.
  app.set("trust proxy", proxies);

  // What it says of caching is for the article. A rejection carries no-store instead, so no cache keeps it.
  app.use("/articles", (_req, res, next) => {
    res.set("Cache-Control", "public, max-age=300");
    next();
  });
  app.use(rateLimit({ limit: "3/minute", algorithm: "fixed-window", key: ip() }));
  app.get("/articles/:id", (req, res) => void res.send(`article ${req.params.id} for everybody\n`));
  app.get("/whoami", (req, res) => void res.set("Cache-Control", "no-store").send(`${req.ip}\n`));
  return app;
}
