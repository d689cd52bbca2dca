import { once, setMaxListeners } from "node:events";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { rateLimit } from "@aforo/express";
import express from "express";

/**
 * @typedef {{ clients: number, wantedPerSecond: number, limitPerSecond: number, seconds: number, algorithm: string }} Fleet
 * @typedef {{ wanted: number, completed: number, rejected: number, failed: number }} Tally
 */

/**
 * Starts an API with a fresh limit, lets the clients call it at a steady pace, whatever becomes of earlier calls, and
 * counts what came of it until the time is up.
 * @param {Fleet} fleet
 * @param {(signal: AbortSignal) => (url: string) => Promise<Response>} createClient - called once per client
 * @returns {Promise<Tally>}
 */
export async function runFleet({ clients, wantedPerSecond, limitPerSecond, seconds, algorithm }, createClient) {
  const tally = { wanted: 0, completed: 0, rejected: 0, failed: 0 };
  const server = await startApi(limitPerSecond, algorithm, (status) => {
    if (status === 429) tally.rejected += 1;
    else tally.completed += 1;
  });
  const url = `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}/items`;

  const end = new AbortController();
  setMaxListeners(0, end.signal);
  const timer = setTimeout(() => end.abort(), seconds * 1000);
  await Promise.all(Array.from({ length: clients }, () => want(createClient(end.signal))));
  clearTimeout(timer);
  server.close();
  server.closeAllConnections();
  await once(server, "close");
  return tally;

  /** @param {(url: string) => Promise<Response>} client */
  async function want(client) {
    const everyMs = (clients / wantedPerSecond) * 1000;
    const calls = [];
    await sleep(Math.random() * everyMs, undefined, { signal: end.signal }).catch(() => {});
    while (!end.signal.aborted) {
      tally.wanted += 1;
      calls.push(complete(client));
      await sleep(everyMs, undefined, { signal: end.signal }).catch(() => {});
    }
    await Promise.all(calls);
  }

  /** @param {(url: string) => Promise<Response>} client */
  async function complete(client) {
    try {
      const response = await client(url);
      await response.text();
      if (response.status !== 200) tally.failed += 1;
    } catch (error) {
      if (!end.signal.aborted) throw error;
    }
  }
}

/**
 * @param {number} limitPerSecond
 * @param {string} algorithm
 * @param {(status: number) => void} onResponse
 */
async function startApi(limitPerSecond, algorithm, onResponse) {
  const app = express();
  app.use((_req, res, next) => {
    res.on("finish", () => onResponse(res.statusCode));
    next();
  });
  const policy = { name: "all", limit: `${limitPerSecond}/second`, algorithm: /** @type {"gcra"} */ (algorithm) };
  app.use(rateLimit({ name: "items", policies: [policy] }));
  app.get("/items", (_req, res) => void res.json([]));
  const server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}
