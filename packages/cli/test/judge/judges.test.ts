import type { Policy } from "@aforo/core";
import fc from "fast-check";
import { KeySpecs, limiterSpelling } from "../../src/callers/key-specs.ts";
import type { JudgedRequest } from "../../src/judge/judge.ts";
import { StoreJudge } from "../../src/judge/store-judge.ts";
import { logView } from "../../src/policy/log-view.ts";
import { ALGORITHMS, policiesOf } from "../../src/policy/policy-flags.ts";
import type { AppOptions } from "../../src/policy/policy-file.ts";
import { fileScenario } from "../../src/replay/scenarios.ts";
import { MadeUpLine } from "../../src/simulate/made-up-line.ts";
import { vector } from "../support/poisson.ts";

function decideAll(policy: Policy, times: readonly number[]): boolean[] {
  const judge = new StoreJudge([{ policy, key: 0 }]);
  return times.map((time) => judge.decide({ time, cost: 1, callers: Int32Array.of(7), view: undefined }));
}

describe("the judge that asks the store", () => {
  test.each(Object.entries(vector.results))(
    "admits of the published experiment what the vector of %s says",
    (_, { policy, allowed }) => {
      expect(decideAll({ name: "p", ...policy }, vector.arrivalsMs).filter(Boolean)).toHaveLength(allowed);
    },
  );

  test("charges all policies of a request or none, each by its own key", () => {
    const judge = new StoreJudge([
      { policy: { name: "account", algorithm: "fixed-window", limit: "2/minute" }, key: 0 },
      { policy: { name: "everyone", algorithm: "fixed-window", limit: "3/minute" }, key: 1 },
    ]);
    const ask = (caller: number): boolean =>
      judge.decide({ time: 60_000, cost: 1, callers: Int32Array.of(caller, 0), view: undefined });
    // The third of caller 0 is denied, and takes nothing from everyone's.
    expect([ask(0), ask(0), ask(0), ask(1), ask(1)]).toEqual([true, true, false, true, false]);
    expect(judge.answer()).toMatchObject({ capacity: 3, remaining: 0, retryAfterMs: 60_000 });
  });

  test("tells apart as many callers as there are numbers", () => {
    const judge = new StoreJudge([{ policy: { name: "p", limit: "1/minute" }, key: 0 }]);
    const callers = [0, 1, 0xd800, 0xffff, 0x10000, 0x1d800, 0x7ffffffe];
    const ask = (caller: number): boolean =>
      judge.decide({ time: 60_000, cost: 1, callers: Int32Array.of(caller), view: undefined });
    expect(callers.map(ask)).toEqual(callers.map(() => true));
    expect(callers.map(ask)).toEqual(callers.map(() => false));
  });
});

describe("the judge that asks the whole application", () => {
  const requests = fc.array(fc.tuple(fc.nat(900), fc.nat(3)), { minLength: 1, maxLength: 80, size: "max" });

  test("property: admits what the store alone admits", () => {
    fc.assert(
      fc.property(requests, fc.constantFrom(...ALGORITHMS), (history, algorithm) => {
        const policy = { name: "p", algorithm, limit: "5/second" } as const;
        const alone = new StoreJudge([{ policy, key: 0 }]);
        const app = fileScenario(
          { path: "app.mjs", label: "app", options: { name: "app", policies: [policy] }, plain: undefined },
          specs(),
        );
        let time = 1_796_000_000_000;
        for (const [gap, caller] of history) {
          const request = requestOf((time += gap), `10.0.0.${caller}`, caller);
          expect(app.judge.decide(request)).toBe(alone.decide(request));
        }
      }),
      { numRuns: 40 },
    );
  });

  test("decides by class, by function, and gives back what failed", async () => {
    const options: AppOptions = {
      limit: ({ user }) => (user === undefined ? "3/minute" : "100/minute"),
      classes: { read: 1, search: 3 },
      defaultClass: "read",
      classify: ({ path }) => (path === "/search" ? "search" : undefined),
      skipFailed: true,
    };
    const { judge, needsView } = fileScenario({ path: "app.mjs", label: "app", options, plain: undefined }, specs());
    const ask = (fields: Readonly<Record<string, string>>): unknown =>
      judge.decide(requestOf(60_000, "10.0.0.1", 0, fields));
    expect(needsView).toBe(true);
    expect(await ask({ path: "/search", status: "500" })).toBe(true);
    expect(await ask({ path: "/search?q=1" })).toBe(true);
    expect(await ask({ path: "/" })).toBe(false);
    expect(judge.answer().retryAfterMs).toBeGreaterThan(0);
    expect(await ask({ path: "/", user: "ann" })).toBe(true);
  });
});

describe("policies of the command line", () => {
  test("are each limit with each algorithm, bursts only where they belong", () => {
    const policies = policiesOf({ limit: ["5/second", "9/minute"], algorithm: ["all"], burst: 7, delayAfter: 2 });
    expect(policies).toHaveLength(12);
    expect(policies.map(({ label }) => label).slice(0, 6)).toEqual([
      "fixed-window 5/second",
      "sliding-window-log 5/second",
      "sliding-window-counter 5/second",
      "token-bucket 5/second burst 7",
      "gcra 5/second burst 7",
      "leaky-bucket 5/second burst 7 delay after 2",
    ]);
    for (const { policy } of policies) expect(() => new StoreJudge([{ policy, key: 0 }])).not.toThrow();
  });

  test("that core refuses are errors, not something else", () => {
    const [refused] = policiesOf({ limit: ["5/second"], algorithm: ["fixed-window"], burst: 7, delayAfter: undefined });
    expect(() => new StoreJudge([{ policy: refused?.policy as Policy, key: 0 }])).toThrow(
      /"policies\[0\].burst" goes with/,
    );
    expect(() =>
      policiesOf({ limit: ["5/second"], algorithm: ["tokens"], burst: undefined, delayAfter: undefined }),
    ).toThrow(/"--algorithm" must be one of/);
  });
});

function specs(): KeySpecs {
  return new KeySpecs(limiterSpelling());
}

function requestOf(
  time: number,
  ip: string,
  caller: number,
  fields: Readonly<Record<string, string>> = {},
): JudgedRequest {
  const line = new MadeUpLine(time, { ip, traffic: 0 });
  const told = Object.assign(Object.create(line) as MadeUpLine, {
    field: (name: string) => fields[name] ?? line.field(name),
  });
  return { time, cost: 1, callers: Int32Array.of(caller), view: logView(told) };
}
