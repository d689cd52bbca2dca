import { spawn } from "node:child_process";
import { join } from "node:path";
import { earlyInTheMinute } from "./early-in-the-minute.ts";

/** A server that runs as a process of its own. */
export interface Program {
  /** Where it says that it listens. */
  readonly url: string;
  /** What it has printed so far. */
  output(): string;
  /** Sends a signal and resolves with the exit code, `null` when the signal killed it; idempotent. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/**
 * Starts a JavaScript or TypeScript file under plain Node, over the sources of the packages, and resolves early in a
 * minute after it has printed `listening on` and a URL.
 */
export async function startProgram(file: string, env: Readonly<Record<string, string>> = {}): Promise<Program> {
  const hooks = join(__dirname, "..", "run-sources.mjs");
  const child = spawn(process.execPath, ["--import", hooks, file], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const program = await new Promise<Program>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const url = /listening on (http:\S+[0-9])/.exec(output)?.[1];
      if (url === undefined) return;
      resolve({
        url,
        output: () => output,
        stop(signal = "SIGTERM") {
          if (child.exitCode === null) child.kill(signal);
          return exited;
        },
      });
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    void exited.then((code) => reject(new Error(`${file} ended with ${code}: ${output}`)));
  });
  await earlyInTheMinute();
  return program;
}
