import type { Clock } from "../../src/domain/clock.ts";
import type { MaybePromise } from "../../src/domain/store.ts";
import { manualClock } from "../../src/testing/manual-clock.ts";
import { vectorFiles, type Expected, type Step, type Vector, type VectorPolicy } from "./vector.ts";

/** What a step is compared by. */
interface Answer {
  readonly policies: readonly {
    readonly remaining: number;
    readonly resetMs: number;
    readonly allowed: boolean;
    readonly retryAfterMs: number;
    readonly delayMs: number;
  }[];
}

/** An answer that can be raised and refunded later. */
export interface DecisionAnswer extends Answer {
  readonly allowed: boolean;
  readonly retryAfterMs: number;
  readonly delayMs: number;
}

/** One key under the policies of a vector: a store or a whole limiter, with values or promises of them. */
export interface Subject<D extends DecisionAnswer> {
  consume(costs: readonly number[]): MaybePromise<D>;
  raise(decision: D, costs: readonly number[]): MaybePromise<D>;
  refund(decision: D, costs: readonly number[]): MaybePromise<unknown>;
  charge(costs: readonly number[]): MaybePromise<Answer>;
  peek(): MaybePromise<Answer>;
  reset(): MaybePromise<unknown>;
  /** From now on policy `i` has `limits[i]`; its burst stays. */
  limits(limits: readonly number[]): void;
  close(): MaybePromise<unknown>;
}

/** Registers one test for each file of vectors. */
export function describeReplay<D extends DecisionAnswer>(
  name: string,
  createSubject: (policies: readonly VectorPolicy[], clock: Clock) => MaybePromise<Subject<D>>,
): void {
  describe(`${name} reproduces exactly`, () => {
    for (const { name: file, vectors } of vectorFiles()) {
      test(`the ${vectors.length} vectors of ${file}`, async () => {
        for (const [index, vector] of vectors.entries()) {
          const differences = await replay(vector, createSubject);
          if (differences.length > 0) throw new Error(`vector ${index} of ${file}: ${differences.join("\n")}`);
        }
      }, 120_000);
    }
  });
}

/** Answers how the first step that differs does; nothing when all agree. */
async function replay<D extends DecisionAnswer>(
  vector: Vector,
  createSubject: (policies: readonly VectorPolicy[], clock: Clock) => MaybePromise<Subject<D>>,
): Promise<string[]> {
  const clock = manualClock(vector.steps[0]?.at);
  const subject = await createSubject(vector.policies, clock);
  const decisions = new Map<number, D>();
  try {
    for (const [index, step] of vector.steps.entries()) {
      clock.set(step.at);
      for (const answer of await answersTo(step, index, subject, decisions)) {
        const differences = differencesBetween(answer, step.expect);
        if (differences.length > 0)
          return [`${JSON.stringify(vector.policies)}, step ${index}: ${JSON.stringify(step)}`, ...differences];
      }
    }
    return [];
  } finally {
    await subject.close();
  }
}

/** Does the step; all of the answers are to be as the vector says. */
async function answersTo<D extends DecisionAnswer>(
  step: Step,
  index: number,
  subject: Subject<D>,
  decisions: Map<number, D>,
): Promise<Answer[]> {
  switch (step.op) {
    case "consume":
      return [await decide(subject.consume(step.costs))];
    case "raise": {
      const earlier = decisions.get(step.of);
      return [await decide(earlier === undefined ? subject.consume(step.costs) : subject.raise(earlier, step.costs))];
    }
    case "charge":
      return [await subject.charge(step.costs), await subject.peek()];
    case "refund": {
      const earlier = decisions.get(step.of);
      if (earlier !== undefined) await subject.refund(earlier, step.costs);
      break;
    }
    case "reset":
      await subject.reset();
      break;
    case "limits":
      subject.limits(step.limits);
      break;
    case "peek":
      break;
  }
  return [await subject.peek()];

  async function decide(answer: MaybePromise<D>): Promise<D> {
    const decision = await answer;
    decisions.set(index, decision);
    return decision;
  }
}

/** Compares what the vector names, and that exactly. */
function differencesBetween(answer: Answer, expected: Expected): string[] {
  const { policies, ...whole } = expected;
  const pairs: [string, object, object][] = [["the whole", answer, whole]];
  for (const [index, policy] of policies.entries()) pairs.push([`p${index}`, answer.policies[index] ?? {}, policy]);
  return pairs.flatMap(([where, got, wanted]) =>
    Object.entries(wanted).flatMap(([field, value]: [string, unknown]) => {
      const found = (got as Record<string, unknown>)[field];
      return Object.is(found, value ?? Infinity)
        ? []
        : [`${where}: ${field} is ${String(found)}, must be ${String(value)}`];
    }),
  );
}
