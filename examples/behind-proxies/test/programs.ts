import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@aforo/testkit/redis";

/** Everything that a test has started, the last first. */
const stopping: (() => Promise<unknown> | void)[] = [];

export async function stopAll(): Promise<void> {
  while (stopping.length > 0) await stopping.pop()?.();
}

/** A directory that goes with the test. */
function directory(): string {
  const path = mkdtempSync(join(tmpdir(), "aforo-proxies-"));
  stopping.push(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Starts a program that is to listen on `port`, and resolves when it does. */
async function start(command: string, args: readonly string[], port: number): Promise<void> {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += String(chunk)));
  stopping.push(() => stop(child));
  let ended: Error | undefined;
  child.once("error", (error) => (ended = error));
  child.once("exit", (code) => (ended = new Error(`${command} ended with ${code}: ${output}`)));
  while (!(await listens(port))) {
    if (ended !== undefined) throw ended;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

function listens(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  return new Promise((resolve) => {
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
  }).finally(() => socket.destroy()) as Promise<boolean>;
}

/** Serves with Node in this process. */
export async function serve(listener: RequestListener): Promise<number> {
  const server = createHttpServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  stopping.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

/** nginx with the example's configuration, and what else a test needs in its `location` and `http` blocks. */
export async function startNginx(api: number, location: string = "", http: string = ""): Promise<number> {
  const [port, path] = [await freePort(), directory()];
  const site = fill("nginx.conf", { API: `127.0.0.1:${api}`, LISTEN: `127.0.0.1:${port}` })
    .replace("cache keys_zone", `${path}/cache keys_zone`)
    .replace("location / {", `location / { ${location}`);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${path}/${name};`,
  );
  // As root, nginx would hand its files to a user of its own.
  const user = process.getuid?.() === 0 ? "user root;" : "";
  const text = `${user} daemon off; pid ${path}/pid; error_log stderr; events {}
    http { access_log off; ${temporary.join(" ")} ${http} ${site} }`;
  writeFileSync(join(path, "nginx.conf"), text);
  await start("nginx", ["-p", path, "-c", join(path, "nginx.conf")], port);
  return port;
}

/** Varnish with the example's configuration. */
export async function startVarnish(api: number): Promise<number> {
  const [port, path] = [await freePort(), directory()];
  writeFileSync(join(path, "default.vcl"), fill("default.vcl", { API_HOST: "127.0.0.1", API_PORT: String(api) }));
  await start(
    "varnishd",
    ["-F", "-j", "none", "-n", path, "-a", `127.0.0.1:${port}`, "-f", join(path, "default.vcl"), "-s", "malloc,16m"],
    port,
  );
  return port;
}

function fill(file: string, values: Readonly<Record<string, string>>): string {
  return readFileSync(join(__dirname, "..", file), "utf8").replace(
    /\$\{(\w+)\}/g,
    (_, name: string) => values[name] as string,
  );
}
