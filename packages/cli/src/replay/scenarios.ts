import type { ResolvedPolicy } from "@aforo/core";
import type { KeySpecs } from "../callers/key-specs.ts";
import { AppJudge } from "../judge/app-judge.ts";
import type { PolicyLine, Scenario } from "../judge/judge.ts";
import { StoreJudge } from "../judge/store-judge.ts";
import type { FlaggedPolicy } from "../policy/policy-flags.ts";
import type { PolicyFile } from "../policy/policy-file.ts";

/** One policy of the command line, by itself. */
export function flaggedScenario({ label, policy }: FlaggedPolicy, key: string, keys: KeySpecs): Scenario {
  const judge = new StoreJudge([{ policy, key: keys.indexOf(key) }]);
  return storeScenario(label, judge, [key]);
}

/** All that a policy file says, together. */
export function fileScenario({ label, options, plain }: PolicyFile, keys: KeySpecs): Scenario {
  if (plain !== undefined) {
    const judge = new StoreJudge(plain.map(({ policy, key }) => ({ policy, key: keys.indexOf(key) })));
    return storeScenario(
      label,
      judge,
      plain.map(({ key }) => key),
    );
  }
  const judge = new AppJudge(options);
  const fixed = judge.limiter.limiter.policies.map((each) => each.fixed ?? each.fallback);
  return {
    label,
    judge,
    needsView: true,
    delays: false,
    policies: fixed.filter((each) => each !== undefined).map((each) => lineOf(each, "as the file says")),
  };
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
