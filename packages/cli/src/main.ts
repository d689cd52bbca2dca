import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Command, CommanderError } from "commander";
import { blockCommand, inspectCommand, resetCommand } from "./commands/live.ts";
import { replayCommand } from "./commands/replay.ts";
import { simulateCommand } from "./commands/simulate.ts";
import { suggestCommand } from "./commands/suggest.ts";
import type { Host } from "./host.ts";
import { UsageError } from "./usage-error.ts";

const EXIT_CODES = `
Exit codes: 0 done; 1 it could not be done (a damaged file, a server that does not answer); 2 the command line or a policy is wrong.
`;

/**
 * Runs the command line.
 *
 * @returns the exit code: 0 done, 1 it could not be done, 2 the command line or a policy is wrong.
 */
export async function main(host: Host): Promise<number> {
  const program = new Command("aforo")
    .description("Choose rate limits from real traffic before they go live, and look after those that are.")
    .version((JSON.parse(readFileSync(join(host.root, "package.json"), "utf8")) as { version: string }).version)
    .showHelpAfterError("(--help tells what there is)")
    .addHelpText("after", EXIT_CODES);
  for (const make of [replayCommand, suggestCommand, simulateCommand, inspectCommand, resetCommand, blockCommand])
    program.addCommand(make(host));
  for (const command of [program, ...program.commands]) {
    command.exitOverride().configureOutput({
      writeOut: (text) => host.stdout.write(text),
      writeErr: (text) => host.stderr.write(text),
      getOutHelpWidth: () => host.stdout.columns ?? 100,
    });
  }
  try {
    await program.parseAsync([...host.args], { from: "user" });
    return 0;
  } catch (error) {
    // Commander has already said what is wrong.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    host.stderr.write(`aforo: ${(error as Error).message}\n`);
    return isUsage(error) ? 2 : 1;
  }
}

/** A policy that core refuses is as wrong as an option is. */
function isUsage(error: unknown): boolean {
  return error instanceof UsageError || (error as Error).name === "ConfigError";
}
