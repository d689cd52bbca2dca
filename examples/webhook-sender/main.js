// Starts a receiver and two senders that get 100 webhooks each at once, and shows when each arrived.
//   npm start -- [webhooks per sender]        REDIS_URL, or a redis-server on the PATH
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createSocket } from "node:net";
import { fileURLToPath } from "node:url";
import { plot } from "./plot.js";
import { report } from "./report.js";

const perSender = Number(process.argv[2] ?? 100);
const SENDERS = ["A", "B"];

const redis = process.env.REDIS_URL === undefined ? await startRedis() : undefined;
const redisUrl = process.env.REDIS_URL ?? redis.url;

/** @type {{ sender: string, number: number, at: number }[]} */
const deliveries = [];
const receiver = createServer(async (request, response) => {
  const at = performance.now();
  const chunks = await request.toArray();
  deliveries.push({ ...JSON.parse(Buffer.concat(chunks).toString()), at });
  response.end();
});
receiver.listen(0, "127.0.0.1");
await once(receiver, "listening");
const webhookUrl = `http://127.0.0.1:${receiver.address().port}/hook`;

console.log(`${SENDERS.length} processes deliver ${perSender} webhooks each, 10 a second together …`);
const senders = SENDERS.map((name) =>
  fork(fileURLToPath(new URL("sender.js", import.meta.url)), [redisUrl, webhookUrl, name, String(perSender)]),
);
const codes = await Promise.all(senders.map(async (sender) => (await once(sender, "exit"))[0]));

receiver.close();
redis?.process.kill();
const { text, sound } = report(deliveries, SENDERS);
console.log(text);
writeFileSync("releases.svg", plot(deliveries, SENDERS));
console.log("releases.svg shows every delivery.");
process.exitCode =
  sound && codes.every((code) => code === 0) && deliveries.length === SENDERS.length * perSender ? 0 : 1;

async function startRedis() {
  const probe = createSocket().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address();
  probe.close();
  const server = spawn("redis-server", ["--port", String(port), "--save", "", "--bind", "127.0.0.1"]);
  server.on("error", () => {
    console.error("No redis-server on the PATH: install one, or give REDIS_URL.");
    process.exit(1);
  });
  for await (const line of server.stdout) if (String(line).includes("Ready to accept connections")) break;
  return { process: server, url: `redis://127.0.0.1:${port}` };
}
