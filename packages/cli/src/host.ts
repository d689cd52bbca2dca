import type { Writable } from "node:stream";
import type { ImportModule } from "./policy/policy-file.ts";

/** What the program is given by the process that it runs in. */
export interface Host {
  /** Without the interpreter and the script. */
  readonly args: readonly string[];
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder of this package, with `assets` and `package.json`. */
  readonly root: string;
  /** Imports a module: this package is built in two formats, and only one of them can. */
  readonly importModule: ImportModule;
}

/** Whether texts may carry colours: a terminal that was not told otherwise (see no-color.org). */
export function hasColors({ stdout, env }: Host): boolean {
  return stdout.isTTY === true && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
}
