import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { root } from "./run.mjs";

/**
 * The way of somebody new, in a folder where the packed packages are installed: the program of the README, then those of
 * the quick start, in memory and with Redis. Answers what went wrong, or nothing.
 */
export async function newcomersWay(folder) {
  const redisPort = await freePort();
  const redis = spawn("redis-server", ["--port", String(redisPort), "--bind", "127.0.0.1", "--save", ""], {
    stdio: "ignore",
  });
  try {
    const quickStart = readFileSync(join(root, "docs/quick-start.md"), "utf8");
    const steps = [
      [programOf(readFileSync(join(root, "README.md"), "utf8")), "hello"],
      [programOf(section(quickStart, "Express")), "2 left\n"],
      [programOf(section(quickStart, "Redis")), "store says 2 left\n"],
    ];
    for (const [program, answer] of steps) {
      const failure = await tryOut(folder, program, answer, `redis://127.0.0.1:${redisPort}`);
      if (failure !== undefined) return failure;
    }
    return undefined;
  } finally {
    redis.kill("SIGKILL");
  }
}

function section(page, title) {
  const [, text = ""] = page.split(`\n## ${title}\n`);
  return text.split("\n## ")[0];
}

/** The first block of JavaScript. */
function programOf(text) {
  return /```js\n(.*?)```/s.exec(text)?.[1] ?? "";
}

/** Three requests a minute pass, the fourth does not. */
async function tryOut(folder, program, answer, redisUrl) {
  const port = await freePort();
  writeFileSync(join(folder, "app.mjs"), program.replace("listen(3000)", `listen(${port})`));
  const env = { ...process.env, REDIS_URL: redisUrl };
  const app = spawn(process.execPath, ["app.mjs"], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [app.stdout, app.stderr]) stream.on("data", (chunk) => (output += chunk));
  try {
    const first = await firstAnswer(port, app);
    const statuses = [first.status];
    for (let asked = 1; asked < 4; asked++) statuses.push((await fetch(`http://127.0.0.1:${port}/`)).status);
    const expected = "200 200 200 429";
    if (statuses.join(" ") === expected && first.body === answer) return undefined;
    return `${program}\nwas to answer ${expected} and ${answer}, and answered ${statuses.join(" ")} and ${first.body}\n${output}`;
  } catch (error) {
    return `${program}\n${error.message}\n${output}`;
  } finally {
    app.kill("SIGKILL");
  }
}

async function firstAnswer(port, app) {
  for (let tries = 0; tries < 300 && app.exitCode === null; tries++) {
    // A Redis client needs a moment as well; what is asked before would be counted by this process.
    await new Promise((resolve) => setTimeout(resolve, 200));
    if (!(await listens(port))) continue;
    await new Promise((resolve) => setTimeout(resolve, 500));
    await leaveRoomInMinute();
    const response = await fetch(`http://127.0.0.1:${port}/`);
    return { status: response.status, body: await response.text() };
  }
  throw new Error("it did not listen");
}

function listens(port) {
  const socket = connect(port, "127.0.0.1");
  return new Promise((resolve) => {
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
  }).finally(() => socket.destroy());
}

/** The windows of these programs are minutes of the clock, and all four requests are to fall into one. */
async function leaveRoomInMinute() {
  const left = () => 60_000 - (Date.now() % 60_000);
  while (left() < 20_000) await new Promise((resolve) => setTimeout(resolve, left() + 1));
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}
