import type { Command } from "commander";
import { limiterSpelling, type KeySpecs } from "../callers/key-specs.ts";
import type { Host } from "../host.ts";
import type { Scenario } from "../judge/judge.ts";
import { readPolicyFile } from "../policy/policy-file.ts";
import { policiesOf } from "../policy/policy-flags.ts";
import { fileScenario, flaggedScenario } from "../replay/scenarios.ts";
import { UsageError } from "../usage-error.ts";
import { collect, wholeNumber } from "./options.ts";

/** What the options of {@link addPolicyOptions} are parsed into. */
export interface PolicyOptions {
  readonly policy?: readonly string[];
  readonly limit?: readonly string[];
  readonly algorithm?: readonly string[];
  readonly burst?: number;
  readonly delayAfter?: number;
  readonly key: string;
}

/** Which policies are tried: each file, and each limit with each algorithm, by itself. */
export function addPolicyOptions(command: Command): Command {
  return command
    .option(
      "--policy <file>",
      "policies in JSON, or a module that exports what the application gives to rateLimit (repeatable)",
      collect,
    )
    .option("--limit <rate>", "a limit, such as 100/minute (repeatable)", collect)
    .option(
      "--algorithm <name>",
      "with --limit: fixed-window, sliding-window-log, sliding-window-counter, token-bucket, gcra, leaky-bucket or all (repeatable)",
      collect,
    )
    .option("--burst <n>", "with --limit: the most at one instant, for buckets and gcra", wholeNumber(1))
    .option("--delay-after <n>", "with --limit: what passes without delay, for leaky-bucket", wholeNumber(0))
    .option(
      "--key <key>",
      "whom to count: ip, ip/PREFIX, user, path, field:NAME, header:NAME, all; a,b is the first that a line has, a+b both together",
      "ip",
    );
}

export async function scenariosOf(flags: PolicyOptions, keys: KeySpecs, host: Host): Promise<readonly Scenario[]> {
  const { policy = [], limit = [], algorithm = [] } = flags;
  if (policy.length + limit.length === 0)
    throw new UsageError("say which policy to try: --limit 100/minute, or --policy FILE");
  const flagged = policiesOf({ limit, algorithm, burst: flags.burst, delayAfter: flags.delayAfter });
  const files = await Promise.all(policy.map((file) => readPolicyFile(file, host.importModule, limiterSpelling())));
  const scenarios = [
    ...files.map((file) => fileScenario(file, keys)),
    ...flagged.map((each) => flaggedScenario(each, flags.key, keys)),
  ];
  return scenarios.map((scenario, index) => {
    const namesakes = scenarios.slice(0, index).filter(({ label }) => label === scenario.label).length;
    return namesakes === 0 ? scenario : { ...scenario, label: `${scenario.label} (${namesakes + 1})` };
  });
}
