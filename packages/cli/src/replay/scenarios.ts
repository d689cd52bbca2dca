import type { ResolvedPolicy } from "@aforo/core";
import type { KeySpecs } from "../callers/key-specs.ts";
import { AppJudge } from "../judge/app-judge.ts";
import type { PolicyLine, Scenario } from "../judge/judge.ts";
import { StoreJudge } from "../judge/store-judge.ts";
import type { FlaggedPolicy } from "../policy/policy-flags.ts";
import type { PlainPolicy } from "../policy/plain-policies.ts";
import type { PolicyFile } from "../policy/policy-file.ts";
import { UsageError } from "../usage-error.ts";

/** One policy of the command line, by itself. */
export function flaggedScenario({ label, policy }: FlaggedPolicy, key: string, keys: KeySpecs): Scenario {
  const judge = new StoreJudge([{ policy, key: keys.indexOf(key) }]);
  return storeScenario(label, judge, [key]);
}

/**
 * All that a policy file says, together.
 *
 * @throws {@link UsageError} naming the file, when core refuses what it says.
 */
export function fileScenario(file: PolicyFile, keys: KeySpecs): Scenario {
  try {
    return file.plain === undefined ? appScenario(file) : plainScenario(file.label, file.plain, keys);
  } catch (error) {
    throw (error as Error).name === "ConfigError" ? new UsageError(`${file.path}: ${(error as Error).message}`) : error;
  }
}

function plainScenario(label: string, policies: readonly PlainPolicy[], keys: KeySpecs): Scenario {
  const judge = new StoreJudge(policies.map(({ policy, key }) => ({ policy, key: keys.indexOf(key) })));
  return storeScenario(
    label,
    judge,
    policies.map(({ key }) => key),
  );
}

function appScenario({ label, options }: PolicyFile): Scenario {
  const judge = new AppJudge(options);
  const fixed = judge.limiter.limiter.policies.map((policy) => policy.fixed ?? policy.fallback);
  const lines = fixed.filter((policy) => policy !== undefined).map((policy) => lineOf(policy, "as the file says"));
  return { label, judge, needsView: true, delays: false, policies: lines };
}

function storeScenario(label: string, judge: StoreJudge, keys: readonly string[]): Scenario {
  const policies = judge.policies.map((policy, index) => lineOf(policy, keys[index] as string));
  return {
    label,
    judge,
    needsView: false,
    delays: judge.policies.some(({ algorithm, shadow }) => algorithm === "leaky-bucket" && !shadow),
    policies,
  };
}

function lineOf({ name, algorithm, limit, window, capacity }: ResolvedPolicy, key: string): PolicyLine {
  return { name, algorithm, limit, window, capacity, key };
}
