import { Writable } from "node:stream";
import { main } from "../../src/main.ts";
import { PACKAGE, type Run } from "./aforo.ts";

/** Calls the program in this process, as the bin does. */
export async function callMain(
  args: readonly string[],
  terminal: boolean = false,
  env: Readonly<Record<string, string>> = {},
): Promise<Run> {
  const [stdout, stderr] = [new Sink(terminal), new Sink(terminal)];
  const code = await main({
    args,
    stdout,
    stderr,
    env,
    root: PACKAGE,
    importModule: () => Promise.reject(new Error("modules are for the real bin")),
  });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

/** A stream that remembers what was written, and says that it is a terminal or not. */
class Sink extends Writable {
  readonly isTTY: boolean;
  readonly columns: number = 120;
  text = "";

  constructor(isTTY: boolean) {
    super();
    this.isTTY = isTTY;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }

  /** What cli-progress asks of a terminal. */
  cursorTo(): void {}

  clearLine(): void {}

  moveCursor(): void {}
}
