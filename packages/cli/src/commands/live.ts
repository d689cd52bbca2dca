import { Command } from "commander";
import type { Keys, Limiter, RequestView } from "@aforo/core";
import { limiterSpelling } from "../callers/key-specs.ts";
import type { Host } from "../host.ts";
import { keyArgument } from "../live/key-argument.ts";
import { readPolicyFile } from "../policy/policy-file.ts";
import { duration as spell, moment } from "../report/words.ts";
import { RunError, UsageError } from "../usage-error.ts";
import { duration, wholeNumber } from "./options.ts";

interface LiveFlags {
  readonly policy: string;
  readonly redis?: string;
  readonly cluster: boolean;
  readonly prefix?: string;
  readonly only?: string;
  readonly ipv6Prefix: number;
  readonly json: boolean;
}

const KEYS = `
KEY is an address (203.0.113.9, 2001:db8::1), user:42, api-key:SECRET, or a key as records show it.
`;

/** Shows what stands on a key's account, and why it would be rejected. */
export function inspectCommand(host: Host): Command {
  return liveCommand("inspect", "tell what a key has used, and why it is rejected", host).action(
    (key: string, flags: LiveFlags) =>
      withLimiter(key, flags, host, async (limiter, keys, written) => {
        const context = viewOf(written);
        const { at, policies } = await limiter.peek(keys, context);
        const explanation = await limiter.explain(keys, context);
        return {
          text: `${written}, ${moment(at)}\n${explanation}`,
          json: {
            key: written,
            limiter: limiter.name,
            at,
            policies: policies,
            explanation: explanation.split("\n"),
          },
        };
      }),
  );
}

/** Forgets what a key has used, and lifts its block. */
export function resetCommand(host: Host): Command {
  return liveCommand("reset", "forget what a key has used, and lift its block", host).action(
    (key: string, flags: LiveFlags) =>
      withLimiter(key, flags, host, async (limiter, keys, written) => {
        await limiter.reset(keys);
        const policies = namesOf(limiter, flags);
        return {
          text: `${written}: forgotten in ${policies.join(", ")}`,
          json: { key: written, limiter: limiter.name, reset: policies },
        };
      }),
  );
}

/** Denies a key for a while, whatever its quota. */
export function blockCommand(host: Host): Command {
  return liveCommand("block", "reject whatever a key asks for a while; 0 lifts the block", host)
    .argument("<duration>", "such as 90s, 15m, 1h; 0 lifts", duration)
    .action((key: string, ms: number, flags: LiveFlags) =>
      withLimiter(key, flags, host, async (limiter, keys, written) => {
        await limiter.block(keys, ms);
        const policies = namesOf(limiter, flags);
        return {
          text:
            ms === 0
              ? `${written}: no longer blocked in ${policies.join(", ")}`
              : `${written}: blocked for ${spell(ms)} in ${policies.join(", ")}`,
          json: { key: written, limiter: limiter.name, blocked: policies, ms },
        };
      }),
    );
}

function liveCommand(name: string, description: string, host: Host): Command {
  const redis = host.env["REDIS_URL"];
  return new Command(name)
    .description(description)
    .argument("<key>", "whose account")
    .requiredOption("--policy <file>", "the policy file or module that the application uses")
    .option("--redis <url>", "where the states are (REDIS_URL, or else the module's own store)", redis)
    .option("--cluster", "it is a Redis Cluster", false)
    .option("--prefix <text>", "what the application's store puts before every key")
    .option("--only <policy>", "one policy of the file; all of them when left out")
    .option("--ipv6-prefix <bits>", "how the application groups IPv6 addresses", wholeNumber(1), 64)
    .option("--json", "print JSON", false)
    .addHelpText("after", KEYS);
}

type Verb = (
  limiter: Limiter<boolean, RequestView>,
  keys: Keys,
  written: string,
) => Promise<{ readonly text: string; readonly json: object }>;

async function withLimiter(written: string, flags: LiveFlags, host: Host, verb: Verb): Promise<void> {
  const key = keyArgument(written, flags.ipv6Prefix);
  // A client for Redis takes a moment to load, which other commands need not wait for.
  const { openLimiter } = await import("../live/live-limiter.ts");
  const { options } = await readPolicyFile(flags.policy, host.importModule, limiterSpelling());
  const live = await openLimiter({
    options,
    redis: flags.redis,
    cluster: flags.cluster,
    prefix: flags.prefix,
  });
  try {
    const { limiter } = live;
    const chosen = namesOf(limiter, flags);
    const keys = Object.fromEntries(limiter.policies.map(({ name }) => [name, chosen.includes(name) ? key : null]));
    await untilAnswered(limiter, keys, viewOf(written));
    const { text, json } = await verb(limiter, keys, shown(written));
    host.stdout.write(flags.json ? `${JSON.stringify(json, undefined, 2)}\n` : `${text}\n`);
  } finally {
    live.close();
  }
}

/** A client of the application's own may still be connecting. */
async function untilAnswered(limiter: Limiter<boolean, RequestView>, keys: Keys, context: RequestView): Promise<void> {
  const deadline = performance.now() + 5_000;
  while ((await limiter.peek(keys, context)).policies.length === 0) {
    if (performance.now() > deadline) throw new RunError("the store did not answer within 5 seconds");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function namesOf({ policies }: Limiter<boolean, RequestView>, { only }: LiveFlags): string[] {
  const names = policies.map(({ name }) => name);
  if (only === undefined) return names;
  if (names.includes(only)) return [only];
  throw new UsageError(`"--only" must be one of the file's policies, ${names.join(", ")}, got ${JSON.stringify(only)}`);
}

/** A credential is not repeated on screens and in logs. */
function shown(written: string): string {
  return written.startsWith("api-key:") ? "api-key:…" : written;
}

/** A request of this caller, for limits that depend on who asks. */
function viewOf(written: string): RequestView {
  const id = written.startsWith("user:") ? written.slice("user:".length) : undefined;
  const ip = written.startsWith("ip:") ? written.slice("ip:".length) : undefined;
  return {
    method: "GET",
    path: "/",
    route: undefined,
    header: () => undefined,
    ip,
    peer: ip,
    user: id === undefined ? undefined : { id, sub: id },
    raw: {},
  };
}
