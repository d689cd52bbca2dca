// Two instances behind nginx, counting together in Redis. Needs nginx, and Redis at REDIS_URL.
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const port = Number(process.env["PORT"] ?? 8080) || (await freePort());
const ports = [await freePort(), await freePort()];

const instances = ports.map((each) =>
  fork(join(import.meta.dirname, "server.js"), { env: { ...process.env, PORT: String(each) } }),
);
await Promise.all(instances.map((instance) => once(instance, "message")));

const directory = mkdtempSync(join(tmpdir(), "aforo-nginx-"));
const template = readFileSync(join(import.meta.dirname, "nginx.conf"), "utf8");
const [first, second] = ports;
writeFileSync(
  join(directory, "nginx.conf"),
  template.replace("FIRST;", `${first};`).replace("SECOND;", `${second};`).replace(":PORT;", `:${port};`),
);
const nginx = spawn("nginx", ["-p", directory, "-c", "nginx.conf"], { stdio: "inherit" });
nginx.once("error", (error) => console.error(`nginx could not be started: ${error.message}; apt-get install nginx`));
await listening(port);

const url = `http://127.0.0.1:${port}`;
console.log(`listening on ${url}, with two instances behind it that share 10 requests a minute
  for i in $(seq 12); do curl -s -o /dev/null -w "%{http_code} " ${url}/; done; curl -i ${url}/`);

for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) {
  process.once(signal, async () => {
    const programs = [nginx, ...instances].filter((program) => program.exitCode === null);
    const ended = programs.map((program) => once(program, "exit"));
    nginx.kill("SIGQUIT");
    for (const instance of instances) instance.kill("SIGTERM");
    await Promise.all(ended);
    rmSync(directory, { recursive: true, force: true });
  });
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = /** @type {import("node:net").AddressInfo} */ (server.address());
  server.close();
  await once(server, "close");
  return address.port;
}

/** @param {number} port */
async function listening(port) {
  while (nginx.exitCode === null) {
    const socket = connect(port, "127.0.0.1");
    const connected = await new Promise((resolve) => {
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    });
    socket.destroy();
    if (connected === true) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
