import { createWriteStream } from "node:fs";
import { once } from "node:events";
import { Command } from "commander";
import { KeySpecs, limiterSpelling } from "../callers/key-specs.ts";
import type { Host } from "../host.ts";
import { TRAFFIC } from "../simulate/parse-traffic.ts";
import { simulate } from "../simulate/simulate.ts";
import type { Traffic } from "../simulate/traffic.ts";
import type { Asking } from "../simulate/world.ts";
import { UsageError } from "../usage-error.ts";
import { duration, wholeNumber } from "./options.ts";
import { addOutputOptions, writeReport, type OutputFlags } from "./output.ts";
import { addPolicyOptions, scenariosOf, type PolicyOptions } from "./policies.ts";

type SimulateFlags = OutputFlags &
  PolicyOptions & {
    readonly duration: number;
    readonly seed: number;
    readonly by?: string;
    readonly writeLog?: string;
  };

const EXAMPLES = `
Examples:
  aforo simulate --poisson 6/second --duration 30s --seed 42 --limit 10/second --burst 20 --algorithm all
  aforo simulate --on-off 50/second:2s:8s --limit 20/second --algorithm all --html bursts.html
  aforo simulate --retry-storm 200@1/second --limit 100/second --key all
  aforo simulate --patient-clients 200@1/second --limit 100/second --key all
  aforo simulate --botnet 5000@2/minute --office 80@2/minute --limit 100/minute --key user,ip

Each kind of traffic may be given several times, and all of it comes at once. The same seed makes the same traffic.
`;

export function simulateCommand(host: Host): Command {
  const command = new Command("simulate")
    .description("tell what policies do to made-up traffic")
    .addHelpText("after", EXAMPLES);
  // In the order in which they were written, so that a seed means the same whatever the kinds are called.
  const traffic: Traffic[] = [];
  for (const [name, { syntax, about, parse }] of Object.entries(TRAFFIC)) {
    command.option(`--${name} ${syntax}`, about, (text: string) => void traffic.push(parse(text)));
  }
  command
    .option("--duration <duration>", "how long the traffic lasts", duration, 60_000)
    .option("--seed <n>", "what the randomness begins with", wholeNumber(0), 1);
  addPolicyOptions(command)
    .option("--by <key>", "whom the report calls a caller, if not by the key of the first policy")
    .option("--write-log <file>", "also write the requests as JSON lines, to be replayed");
  addOutputOptions(command);
  return command.action(async (flags: SimulateFlags) => {
    if (traffic.length === 0)
      throw new UsageError(
        `say what traffic to make up: ${Object.keys(TRAFFIC)
          .map((name) => `--${name}`)
          .join(", ")}`,
      );
    const keys = new KeySpecs(limiterSpelling());
    const scenarios = await scenariosOf(flags, keys, host);
    const log = flags.writeLog === undefined ? undefined : logWriter(flags.writeLog);
    const report = await simulate({
      traffic,
      scenarios,
      keys: keys.specs,
      reportBy: keys.indexOf(flags.by ?? keys.specs[0]?.text ?? "ip"),
      durationMs: flags.duration,
      seed: flags.seed,
      ...(log === undefined ? {} : { onRequest: log.write }),
    });
    await log?.end();
    await writeReport(report, flags, host);
  });
}

interface LogWriter {
  readonly write: (time: number, asking: Asking) => void;
  readonly end: () => Promise<void>;
}

function logWriter(file: string): LogWriter {
  const stream = createWriteStream(file);
  const opened = once(stream, "open");
  opened.catch(() => {});
  return {
    write: (time, { ip, user }) =>
      void stream.write(`${JSON.stringify({ time, ip, user, method: "GET", path: "/" })}\n`),
    async end() {
      await opened;
      stream.end();
      await once(stream, "finish");
    },
  };
}
