import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { runAforo } from "./aforo.ts";

const ROOT = join(__dirname, "..", "..", "..");
const run = promisify(execFile);

/** Commands of a shell block, one for each line; comments and continued lines are understood. */
export function commandsOf(code: string): readonly string[] {
  const lines = code.replaceAll(/\\\n\s*/g, " ").split("\n");
  return lines.map((line) => line.replace(/(^|\s)#.*$/, "").trim()).filter((line) => line !== "");
}

/**
 * Runs one command as its reader would and gives what it printed. Commands that would install or start things are
 * checked instead: an npm script must exist, an installed package must be one of ours or known.
 *
 * @param folder - where it runs, with the files that the page has shown so far.
 */
export async function runCommand(command: string, port: number | undefined, folder: string): Promise<string> {
  if (command.startsWith("curl ")) {
    if (port === undefined) throw new Error(`no server was started before: ${command}`);
    return shell(command.replaceAll(/localhost:\d+/g, `127.0.0.1:${port}`).replace(/^curl /, "curl -s "), folder);
  }
  if (command.startsWith("npx aforo ")) return runAforo(command.slice("npx aforo ".length), folder);
  const script = /^npm (?:run )?([\w:-]+)/.exec(command)?.[1];
  if (script === "install" || script === "i") return "";
  if (script !== undefined) {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { scripts: object };
    if (!Object.hasOwn(scripts, script)) throw new Error(`package.json has no script "${script}": ${command}`);
    return "";
  }
  throw new Error(`nobody knows how to check this command: ${command}`);
}

async function shell(command: string, folder: string): Promise<string> {
  const { stdout } = await run("sh", ["-c", command], { cwd: folder, env: process.env, maxBuffer: 1e8 });
  return stdout;
}
