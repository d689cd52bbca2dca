import { spawn } from "node:child_process";
import { constants } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const pnpmVersion = "10.34.9";
export const pnpmHome = join(root, ".cache", `pnpm-${pnpmVersion}`);

const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
const running = new Set();

/** What children see: the pinned pnpm and the workspace's tools come first, whatever the machine has. */
export function environment() {
  const bins = [join(pnpmHome, "node_modules", ".bin"), join(root, "node_modules", ".bin")];
  const { PATH = "", ...rest } = process.env;
  const plain = process.stdout.isTTY ? {} : { NO_COLOR: "1" };
  return { ...rest, ...plain, PATH: [...bins, PATH].join(delimiter), TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1" };
}

/**
 * Runs a command, without input, and resolves to its exit code and, where `quiet`, to what it printed. Never rejects:
 * a command that can't be started has the code 127, one that outlives `timeoutMs` is killed and has the code 124.
 */
export function run(command, args, { cwd = root, env = environment(), quiet = false, timeoutMs = 0 } = {}) {
  const out = quiet ? "pipe" : "inherit";
  return new Promise((resolve) => {
    // A group of its own, so that a kill reaches what the command has started in turn.
    const child = spawn(command, args, { cwd, env, detached: true, stdio: ["ignore", out, out] });
    const timer = timeoutMs > 0 ? setTimeout(() => stop(child, "SIGKILL"), timeoutMs) : undefined;
    let output = "";
    running.add(child);
    child.stdout?.on("data", (chunk) => (output += chunk));
    child.stderr?.on("data", (chunk) => (output += chunk));
    child.on("error", (error) => finish(127, `${command}: ${error.message}\n`));
    child.on("close", (code, signal) => {
      if (signal === "SIGKILL") finish(124, `${command}: killed, at the latest after ${timeoutMs} ms\n`);
      else finish(code ?? 1, "");
    });

    function finish(code, remark) {
      clearTimeout(timer);
      running.delete(child);
      resolve({ code, output: output + remark });
    }
  });
}

/** As {@link run}, but a failure ends this process with the same code. */
export async function must(command, args, options) {
  const { code, output } = await run(command, args, options);
  if (code === 0) return;
  process.stderr.write(output);
  process.exit(code);
}

/** Hands this process over to a command: its terminal, its signals and its exit code. */
export function become(command, args, { cwd = root } = {}) {
  const child = spawn(command, args, { cwd, env: environment(), stdio: "inherit" });
  for (const signal of signals) process.removeAllListeners(signal).on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(code ?? exitCodeOf(signal)));
}

// Without this a killed `npm test` would leave its children behind.
for (const signal of signals) {
  process.on(signal, () => {
    for (const child of running) stop(child, signal);
    process.exit(exitCodeOf(signal));
  });
}

function stop(child, signal) {
  process.kill(-child.pid, signal);
}

function exitCodeOf(signal) {
  return 128 + constants.signals[signal];
}
