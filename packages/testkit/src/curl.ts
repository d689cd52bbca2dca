import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** What `curl -i` printed. */
export interface Curled {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Runs curl as a reader of the documentation would. */
export async function curl(...args: readonly string[]): Promise<Curled> {
  const { stdout } = await run("curl", ["--ipv4", "--silent", "--include", ...args]);
  const [head = "", ...body] = stdout.split("\r\n\r\n");
  const [first = "", ...lines] = head.split("\r\n");
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(":")).toLowerCase(),
    line.slice(line.indexOf(":") + 1).trim(),
  ]);
  return {
    status: Number(first.split(" ")[1]),
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: body.join("\r\n\r\n"),
  };
}
