import { spawn } from "node:child_process";
import { join } from "node:path";

export const PACKAGE: string = join(__dirname, "..", "..");

/** What a run of the program came to. */
export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly input?: string | Buffer;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** Runs the real bin as a process, over the sources. */
export function aforo(args: readonly string[], { input, env, cwd }: RunOptions = {}): Promise<Run> {
  return new Promise((resolve, reject) => {
    const hooks = join(PACKAGE, "..", "testkit", "run-sources.mjs");
    const child = spawn(process.execPath, ["--import", hooks, join(PACKAGE, "bin", "aforo.js"), ...args], {
      cwd: cwd ?? PACKAGE,
      env: { ...withoutColors(process.env), ...env },
      stdio: "pipe",
    });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (data: Buffer) => (stdout += data.toString()));
    child.stderr.on("data", (data: Buffer) => (stderr += data.toString()));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
    // The program may end before it has read everything.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
}

function withoutColors(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const unwanted = new Set(["NO_COLOR", "FORCE_COLOR", "REDIS_URL"]);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !unwanted.has(name)));
}
