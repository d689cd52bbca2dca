import { parseDictionary, parseList, type Item } from "structured-headers";
import fc from "fast-check";
import type { Decision, PolicyDecision } from "../../src/domain/decision.ts";
import type { HeaderOptions } from "../../src/http/header-options.ts";
import { limit, type Served, type Subject } from "./serve.ts";

const RUNS = 1_000;
const SECRET = "sixteen characters or more";

/** A limiter of one to three policies of any kind. */
const policies = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom("acct", "ip", "a.b-c_d", "9", "Z"),
    algorithm: fc.constantFrom("fixed-window", "sliding-window-log", "sliding-window-counter", "token-bucket", "gcra"),
    limit: fc.integer({ min: 0, max: 12 }),
    window: fc.oneof(fc.integer({ min: 1, max: 5_000 }), fc.constantFrom(60_000, 3_600_000, 86_400_000)),
  }),
  { selector: (policy) => policy.name, minLength: 1, maxLength: 3 },
);
const steps = fc.array(fc.nat({ max: 2_000 }), { minLength: 1, maxLength: 6 });

/** Shows the last response of many random histories to `check`, with the decision behind it. */
async function overDecisions(
  headers: HeaderOptions,
  check: (served: Served, decision: Decision, subject: Subject) => void,
): Promise<void> {
  let decisions = 0;
  await fc.assert(
    fc.asyncProperty(policies, steps, async (each, waits) => {
      const subject = limit({ policies: each, headers, secret: SECRET });
      for (const wait of waits) {
        subject.clock.advance(wait);
        const served = await subject.get();
        check(served, subject.http.handleOf(served.exchange.raw)?.decision as Decision, subject);
        decisions++;
      }
    }),
    { numRuns: RUNS / 2.5 },
  );
  expect(decisions).toBeGreaterThan(RUNS);
}

/** Whole seconds that a policy's quota is for. */
function windowOf(policy: PolicyDecision): number {
  const bucket = policy.algorithm === "token-bucket" || policy.algorithm === "gcra";
  return Math.max(
    1,
    Math.ceil((bucket && policy.limit > 0 ? (policy.capacity * policy.window) / policy.limit : policy.window) / 1_000),
  );
}

/** Whole seconds to come back after, or until the capacity is back. */
function resetOf({ allowed }: Decision, policy: PolicyDecision): number {
  const ms = allowed || policy.allowed || policy.retryAfterMs === Infinity ? policy.resetMs : policy.retryAfterMs;
  return Math.ceil(ms / 1_000);
}

function shown(items: readonly Item[], parameters: readonly string[]): object[] {
  return items.map(([name, values]) => ({
    name,
    ...Object.fromEntries(parameters.map((each) => [each, values.get(each)])),
  }));
}

test("draft-11 is two lists, parsed by an independent parser from 1,000 random decisions", async () => {
  await overDecisions({ draft: "draft-11" }, ({ header }, decision) => {
    const quotas = parseList(header("ratelimit-policy") as string) as Item[];
    const states = parseList(header("ratelimit") as string) as Item[];
    const partitions = [...quotas, ...states].map((item) =>
      Buffer.from(item[1].get("pk") as ArrayBuffer).toString("hex"),
    );
    expect({ quotas: shown(quotas, ["q", "w"]), states: shown(states, ["r", "t"]) }).toEqual({
      quotas: decision.policies.map((policy) => ({ name: policy.name, q: policy.capacity, w: windowOf(policy) })),
      states: decision.policies.map((policy) => ({
        name: policy.name,
        r: policy.remaining,
        t: resetOf(decision, policy),
      })),
    });
    expect(partitions.slice(0, quotas.length)).toEqual(partitions.slice(quotas.length));
    expect(partitions[0]).toHaveLength(18);
  });
});

test("draft-7 is a dictionary of the binding policy and a list of all", async () => {
  await overDecisions({ draft: "draft-7" }, ({ header }, decision) => {
    const { binding } = decision as { binding: PolicyDecision };
    const state = parseDictionary(header("ratelimit") as string);
    expect([...state].map(([name, [value]]) => [name, value])).toEqual([
      ["limit", binding.capacity],
      ["remaining", binding.remaining],
      ["reset", resetOf(decision, binding)],
    ]);
    expectQuotas(header("ratelimit-policy"), decision);
  });
});

test("draft-6 is three integers of the binding policy and a list of all", async () => {
  await overDecisions({ draft: "draft-6" }, ({ header }, decision) => {
    const { binding } = decision as { binding: PolicyDecision };
    const values = ["limit", "remaining", "reset"].map((name) => parseList(header(`ratelimit-${name}`) as string));
    expect(values.map(([item]) => item?.[0])).toEqual([
      binding.capacity,
      binding.remaining,
      resetOf(decision, binding),
    ]);
    expectQuotas(header("ratelimit-policy"), decision);
  });
});

test("the customary headers are three whole numbers of the binding policy", async () => {
  await overDecisions({}, ({ header }, decision, { clock }) => {
    const { binding } = decision as { binding: PolicyDecision };
    const values = ["limit", "remaining", "reset"].map((name) => header(`x-ratelimit-${name}`) as string);
    for (const value of values) expect(value).toMatch(/^\d+$/);
    const wait = decision.allowed || binding.retryAfterMs === Infinity ? binding.resetMs : binding.retryAfterMs;
    expect(values.map(Number)).toEqual([binding.capacity, binding.remaining, Math.ceil((clock() + wait) / 1_000)]);
  });
});

function expectQuotas(text: string | undefined, { policies }: Decision): void {
  const quotas = parseList(text as string) as Item[];
  expect(quotas.map(([quota]) => quota)).toEqual(policies.map((policy) => policy.capacity));
  expect(quotas.map((item) => item[1].get("w"))).toEqual(policies.map(windowOf));
}

describe("partition keys", () => {
  test("tell a client nothing without the secret, and are left out without one", async () => {
    const { get } = limit({ limit: "5/minute", algorithm: "fixed-window", headers: { draft: "draft-11" } });
    expect((await get()).header("ratelimit")).toBe('"default";r=4;t=60');
  });

  test("differ between callers and stay the same for one", async () => {
    const { get } = limit({ limit: "5/minute", headers: { draft: "draft-11" }, secret: SECRET });
    const partition = async (ip: string) => /pk=:(.+?):/.exec((await get({ ip })).header("ratelimit") ?? "")?.[1];
    const [a, b, again] = [await partition("192.0.2.1"), await partition("192.0.2.2"), await partition("192.0.2.1")];
    expect(a).toBeDefined();
    expect(a).not.toBe(b);
    expect(again).toBe(a);
  });
});

test("a quota beyond fifteen digits is cut to what the fields can say", async () => {
  const { get } = limit({
    limit: 2 ** 50,
    window: "1 hour",
    algorithm: "fixed-window",
    headers: { draft: "draft-11" },
  });
  expect((await get()).header("ratelimit-policy")).toBe('"default";q=999999999999999;w=3600');
});
