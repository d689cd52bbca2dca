import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { earlyInTheMinute } from "./early-in-the-minute.ts";
import { freePort } from "./redis/free-port.ts";
import { waitFor } from "./redis/server.ts";

/** The code blocks of a page that are marked with a language, as they stand. */
export function snippetsOf(page: string, language: string): string[] {
  const blocks = readFileSync(page, "utf8").matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"));
  return [...blocks].map(([, code]) => code as string);
}

/** A snippet that runs as a process of its own. */
export interface RunningSnippet {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Runs a snippet that listens on port 3000 as it stands, but on a free port, and resolves early in a minute.
 *
 * @param folder - where the packages that it imports are found.
 */
export async function startSnippet(snippet: string, folder: string): Promise<RunningSnippet> {
  const port = await freePort();
  const file = join(folder, `.snippet-${randomUUID()}.mjs`);
  writeFileSync(file, snippet.replaceAll("3000", String(port)));
  const hooks = join(__dirname, "..", "run-sources.mjs");
  const child = spawn(process.execPath, ["--import", hooks, file], { stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  try {
    await waitFor("the snippet listens", async () => {
      if (child.exitCode !== null) throw new Error(`the snippet ended: ${errors}`);
      return answers(port);
    });
  } finally {
    rmSync(file);
  }
  await earlyInTheMinute();
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
