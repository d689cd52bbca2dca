import { execFile, spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { freePort } from "./free-port.ts";

const runFile = promisify(execFile);

/** A real `redis-server` on 127.0.0.1, in a directory of its own, without persistence unless its arguments ask for it. */
export interface RedisServer {
  readonly host: string;
  readonly port: number;
  /** Of redis-server itself; changes with `restart`. */
  readonly pid: number;
  readonly url: string;
  /** Runs `redis-cli` against it and gives what it printed. */
  cli(...args: readonly string[]): Promise<string>;
  /** Such as `SIGSTOP`, `SIGCONT` or `SIGKILL`. */
  signal(signal: NodeJS.Signals): void;
  /** Kills the process and starts another one, empty unless it persists, on the same port. */
  restart(): Promise<void>;
  /** Kills the process but keeps the port for `restart`. */
  kill(): Promise<void>;
  /** Kills the process and removes its directory; idempotent. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** Further arguments, such as `["--maxmemory", "2mb"]`. */
  readonly args?: readonly string[];
  /** Writes a configuration file into the directory and gives the arguments that name it; for Sentinel. */
  readonly configFile?: (directory: string) => Promise<readonly string[]>;
  readonly port?: number;
}

/** Starts a server and resolves when it answers. */
export async function startServer(options: ServerOptions = {}): Promise<RedisServer> {
  const directory = await mkdtemp(join(tmpdir(), "aforo-redis-"));
  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await freePort());
    const config = (await options.configFile?.(directory)) ?? [];
    const persistence = options.configFile === undefined ? ["--save", "", "--appendonly", "no"] : [];
    const args = [
      config,
      ["--port", `${port}`, "--bind", "127.0.0.1", "--dir", directory, "--daemonize", "no"],
      persistence,
      options.args ?? [],
    ].flat();
    try {
      return await LocalServer.start(directory, port, args);
    } catch (error) {
      // Between finding a free port and taking it, somebody else may have been faster.
      if (attempt < 5 && options.port === undefined) continue;
      await rm(directory, { recursive: true, force: true });
      throw error;
    }
  }
}

class LocalServer implements RedisServer {
  readonly host: string = "127.0.0.1";
  readonly port: number;
  readonly #directory: string;
  readonly #args: readonly string[];
  #process: { readonly pid: number; readonly shell: ChildProcess } | undefined;

  static async start(directory: string, port: number, args: readonly string[]): Promise<LocalServer> {
    const server = new LocalServer(directory, port, args);
    await server.#start();
    return server;
  }

  constructor(directory: string, port: number, args: readonly string[]) {
    this.#directory = directory;
    this.port = port;
    this.#args = args;
  }

  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  get url(): string {
    return `redis://${this.host}:${this.port}`;
  }

  async cli(...args: readonly string[]): Promise<string> {
    const { stdout } = await runFile("redis-cli", ["-h", this.host, "-p", `${this.port}`, ...args], { maxBuffer: 1e9 });
    return stdout.trimEnd();
  }

  signal(signal: NodeJS.Signals): void {
    process.kill(this.pid, signal);
  }

  async restart(): Promise<void> {
    await this.kill();
    await this.#start();
  }

  async kill(): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (running === undefined || running.shell.exitCode !== null) return;
    const exited = new Promise((resolve) => running.shell.once("exit", resolve));
    running.shell.stdin?.end();
    await exited;
  }

  async stop(): Promise<void> {
    await this.kill();
    await rm(this.#directory, { recursive: true, force: true });
  }

  async #start(): Promise<void> {
    // The shell kills the server as soon as its input closes, so it cannot outlive a test run that was itself killed.
    const script = 'redis-server "$@" >"$0/log" 2>&1 & echo $!; cat >/dev/null; kill -9 $!; wait $!';
    const shell = spawn("sh", ["-c", script, this.#directory, ...this.#args], { stdio: ["pipe", "pipe", "ignore"] });
    const pid = await new Promise<number>((resolve, reject) => {
      shell.once("error", reject);
      createInterface(shell.stdout).once("line", (line) => resolve(Number(line)));
    });
    this.#process = { pid, shell };
    try {
      await waitFor(`redis-server on port ${this.port} answers`, () => answers(this.host, this.port, pid));
    } catch (error) {
      await this.kill();
      throw error;
    }
  }
}

/** Polls until the condition holds; fails after 20 s. */
export async function waitFor(
  what: string,
  condition: () => boolean | Promise<boolean>,
  timeoutMs: number = 20_000,
): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`gave up waiting until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Whether the server of that pid answers; another one on that port must not be taken for it. */
function answers(host: string, port: number, pid: number): Promise<boolean> {
  process.kill(pid, 0);
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    let reply = "";
    socket.setTimeout(1_000, () => socket.destroy());
    socket.on("connect", () => socket.write("INFO server\r\n"));
    socket.on("error", () => {});
    socket.on("close", () =>
      resolve(reply.includes(`process_id:${pid}\r`) || reply.startsWith("-NOAUTH") || reply.startsWith("-NOPERM")),
    );
    socket.on("data", (chunk) => {
      reply += chunk.toString();
      if (reply.startsWith("-") || reply.includes("process_id:")) socket.destroy();
    });
  });
}
