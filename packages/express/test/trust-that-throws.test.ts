import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { apiKey, rateLimit, type RateLimitOptions } from "../src/index.ts";

const asked: Record<string, Partial<RateLimitOptions>> = {
  "apiKey()": { key: apiKey({ resolve: () => true }) },
  "apiKey() behind an asynchronous skip": { skip: async () => false, key: apiKey({ resolve: () => true }) },
  allow: { allow: ["10.0.0.1"] },
  deny: { deny: ["10.0.0.1"] },
};

test.each(Object.keys(asked))(
  "A27 an address that cannot even be asked for is no 500 and no crash: %s",
  async (name) => {
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    process.on("unhandledRejection", note);
    const app = express();
    // As ipaddr.parse does for an entry of X-Forwarded-For that the client made up.
    app.set("trust proxy", (address: string) => {
      if (address === "garbage") throw new Error("no address");
      return true;
    });
    app.use(rateLimit({ limit: "5/minute", ...asked[name] }));
    app.get("/", (_req, res) => void res.send("ok"));
    const server: Server = app.listen(0, "127.0.0.1");
    await once(server, "listening");
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
      headers: { "x-forwarded-for": "203.0.113.9, garbage", "x-api-key": "key" },
      signal: AbortSignal.timeout(30_000),
    }).catch((error: unknown) => error as Error);
    process.off("unhandledRejection", note);
    server.closeAllConnections();
    server.close();
    expect(unhandled).toEqual([]);
    expect(answer).toMatchObject({ status: 200 });
  },
);
