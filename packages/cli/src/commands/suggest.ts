import { Command, InvalidArgumentError } from "commander";
import { KeySpecs, limiterSpelling } from "../callers/key-specs.ts";
import type { KeySpec } from "../callers/key-spec.ts";
import { hasColors, type Host } from "../host.ts";
import { parseClasses } from "../policy/request-class.ts";
import { suggestText } from "../report/suggest-text.ts";
import { suggest } from "../suggest/suggest.ts";
import { addLogOptions, logOptionsOf, type LogFlags } from "./log-options.ts";
import { collect, duration } from "./options.ts";
import { showProgress } from "./progress.ts";

type SuggestFlags = LogFlags & {
  readonly key: string;
  readonly share: number;
  readonly window: number;
  readonly class?: readonly string[];
  readonly everybody: boolean;
  readonly check: boolean;
  readonly json: boolean;
};

const EXAMPLES = `
Examples:
  aforo suggest access.log
  aforo suggest access.log* --share 0.5% --class "login=POST /login" --class "search=GET /search*"
  aforo suggest app.log --preset pino --key user,ip --window 1h --json

Legitimate are all callers but those with at least 20 requests of which more than half failed (4xx other than 429).
The log is read twice: to learn, and to see what the proposals would have done. Standard input is read once.
`;

export function suggestCommand(host: Host): Command {
  const command = new Command("suggest")
    .description("propose limits that hardly ever reject a legitimate caller of an access log")
    .argument("<files...>", "access logs, as for replay")
    .option("--key <key>", "whom to count, as for replay", "ip")
    .option("--share <percent>", "how many legitimate callers may ever be rejected", percent, 0.001)
    .option("--window <duration>", "what the limits are per, at least a second", windowLength, 60_000)
    .option(
      "--class <name=pattern>",
      'propose for these requests by themselves, such as "login=POST /login" (repeatable)',
      collect,
    )
    .option("--everybody", "take all callers for legitimate", false)
    .option("--no-check", "do not read the log again to see what the proposals would have done")
    .option("--json", "print everything as JSON", false)
    .addHelpText("after", EXAMPLES);
  addLogOptions(command);
  return command.action(async (files: string[], flags: SuggestFlags) => {
    const keys = new KeySpecs(limiterSpelling());
    const key = keys.specs[keys.indexOf(flags.key)] as KeySpec;
    const check = flags.check && !files.includes("-");
    const progress = showProgress(check ? [...files, ...files] : files, flags.progress, host);
    try {
      const suggestion = await suggest({
        log: logOptionsOf(files, flags, progress.add),
        key,
        classes: parseClasses(flags.class ?? []),
        share: flags.share,
        window: flags.window,
        everybody: flags.everybody,
        check,
      });
      progress.stop();
      host.stdout.write(
        flags.json ? `${JSON.stringify(suggestion, undefined, 2)}\n` : suggestText(suggestion, hasColors(host)),
      );
    } finally {
      progress.stop();
    }
  });
}

/** `0.1%` and `0.1` are both a tenth of a percent. */
function percent(text: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*%?$/.exec(text.trim());
  const share = Number(match?.[1]) / 100;
  if (share >= 0 && share < 1) return share;
  throw new InvalidArgumentError("It must be a percentage from 0 to below 100, such as 0.1%.");
}

function windowLength(text: string): number {
  const ms = duration(text);
  if (ms >= 1_000) return ms;
  throw new InvalidArgumentError("It must be at least a second.");
}
