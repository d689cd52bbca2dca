import { Command } from "commander";
import { KeySpecs, limiterSpelling } from "../callers/key-specs.ts";
import type { Host } from "../host.ts";
import type { Scenario } from "../judge/judge.ts";
import { parseCost } from "../policy/cost.ts";
import { parseClasses } from "../policy/request-class.ts";
import { replay } from "../replay/replay.ts";
import { addLogOptions, logOptionsOf, type LogFlags } from "./log-options.ts";
import { collect } from "./options.ts";
import { addOutputOptions, writeReport, type OutputFlags } from "./output.ts";
import { addPolicyOptions, scenariosOf, type PolicyOptions } from "./policies.ts";
import { showProgress } from "./progress.ts";

type ReplayFlags = LogFlags &
  OutputFlags &
  PolicyOptions & { readonly cost: string; readonly class?: readonly string[]; readonly by?: string };

const EXAMPLES = `
Examples:
  aforo replay access.log --limit 100/minute
  aforo replay access.log* --limit 100/minute --algorithm all --html report.html
  aforo replay access.log --limit 10/second --algorithm token-bucket --burst 200 --key user,ip
  aforo replay access.log --policy policy.json --policy stricter.json --json
  aforo replay app.log --preset pino --limit 1000/hour --key header:x-api-key
  zcat old/*.gz | aforo replay - --limit 100/minute --class "search:5=GET /search*"

Files may be packed with gzip. Several are merged by time, in whatever order they are named; - is standard input.
Times of whole seconds make bursts within a second look worse than they were: see --spread.
`;

export function replayCommand(host: Host): Command {
  const command = new Command("replay")
    .description("tell what policies would have done to the requests of an access log")
    .argument("<files...>", "access logs: combined or common format, JSON lines, CSV")
    .addHelpText("after", EXAMPLES);
  addPolicyOptions(command)
    .option("--by <key>", "whom the report calls a caller, if not by the key of the first policy")
    .option("--cost <n>", "what a request costs: a whole number, or field:NAME", "1")
    .option(
      "--class <name:cost=pattern>",
      'what requests for some routes cost, such as "search:5=GET /search*" (repeatable)',
      collect,
    );
  addOutputOptions(addLogOptions(command));
  return command.action(async (files: string[], flags: ReplayFlags) => {
    const keys = new KeySpecs(limiterSpelling());
    const scenarios: readonly Scenario[] = await scenariosOf(flags, keys, host);
    const progress = showProgress(files, flags.progress, host);
    try {
      const report = await replay({
        log: logOptionsOf(files, flags, progress.add),
        scenarios,
        keys: keys.specs,
        reportBy: keys.indexOf(flags.by ?? keys.specs[0]?.text ?? "ip"),
        cost: parseCost(flags.cost, parseClasses(flags.class ?? [])),
      });
      progress.stop();
      await writeReport(report, flags, host);
    } finally {
      progress.stop();
    }
  });
}
