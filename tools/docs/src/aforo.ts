import { join } from "node:path";
import { Writable } from "node:stream";
import { main } from "../../../packages/cli/src/index.ts";

const PACKAGE = join(__dirname, "..", "..", "..", "packages", "cli");

/**
 * Runs the command line in this process, which has loaded it already, and gives what it printed.
 *
 * @param line - what stands behind `aforo`; words may be in double quotes.
 * @param folder - where it runs.
 */
export async function runAforo(line: string, folder: string): Promise<string> {
  const [stdout, stderr] = [new Sink(), new Sink()];
  const before = process.cwd();
  process.chdir(folder);
  try {
    const code = await main({
      args: [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? ""),
      stdout,
      stderr,
      env: process.env,
      root: PACKAGE,
      importModule: () => Promise.reject(new Error("pages show policies as JSON")),
    });
    if (code !== 0) throw new Error(`aforo ${line} ended with ${code}: ${stderr.text}`);
    return stdout.text;
  } finally {
    process.chdir(before);
  }
}

/** A stream that remembers what was written. */
class Sink extends Writable {
  text = "";

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}
