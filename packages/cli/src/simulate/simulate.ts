import type { KeySpec } from "../callers/key-spec.ts";
import type { JudgedRequest, Scenario } from "../judge/judge.ts";
import { isPromise } from "../judge/maybe.ts";
import { logView } from "../policy/log-view.ts";
import type { Report, TrafficSummary } from "../report/report.ts";
import { summarize } from "../stats/summary.ts";
import { Tally } from "../stats/tally.ts";
import { RunError } from "../usage-error.ts";
import { answerHeaders } from "./answer-headers.ts";
import { MadeUpLine } from "./made-up-line.ts";
import { Random } from "./random.ts";
import type { Traffic } from "./traffic.ts";
import { World, type Answer, type Asking } from "./world.ts";

export interface SimulateOptions {
  readonly traffic: readonly Traffic[];
  readonly scenarios: readonly Scenario[];
  readonly keys: readonly KeySpec[];
  readonly reportBy: number;
  readonly durationMs: number;
  readonly seed: number;
  /** Told of each request of the first scenario. */
  readonly onRequest?: (time: number, asking: Asking) => void;
}

/** Every clock-aligned window begins here: midnight of 2026-01-01, a Thursday. */
const STARTED_AT = Date.UTC(2026, 0, 1);

const USUAL_WINDOW = 60_000;

/** Lets made-up traffic meet each scenario by itself, since what clients do depends on what they are answered. */
export async function simulate(options: SimulateOptions): Promise<Report> {
  const { traffic, scenarios, keys, durationMs } = options;
  const { text, callers } = keys[options.reportBy] as KeySpec;
  const summaries = [];
  for (const [index, scenario] of scenarios.entries()) {
    const { tally, byTraffic } = await meet(scenario, options, index === 0 ? options.onRequest : undefined);
    summaries.push({ ...summarize(scenario.label, scenario.policies, tally, callers), traffic: byTraffic });
  }
  return {
    version: 1,
    kind: "simulate",
    source: {
      names: traffic.map(({ name }) => name),
      key: text,
      requests: summaries[0]?.requests ?? 0,
      callers: callers.size,
      from: STARTED_AT,
      to: STARTED_AT + durationMs,
    },
    scenarios: summaries,
  };
}

async function meet(
  { judge, needsView, policies, delays }: Scenario,
  { traffic, keys, reportBy, durationMs, seed }: SimulateOptions,
  onRequest: SimulateOptions["onRequest"],
): Promise<{ readonly tally: Tally; readonly byTraffic: readonly TrafficSummary[] }> {
  const tally = new Tally(policies[0]?.window ?? USUAL_WINDOW);
  const byTraffic = traffic.map(({ name }) => ({ name, requests: 0, admitted: 0 }));
  const request: JudgedRequest = { time: 0, cost: 1, callers: new Int32Array(keys.length), view: undefined };

  function serve(asking: Asking, now: number): Answer {
    request.time = Math.floor(STARTED_AT + now);
    const line = new MadeUpLine(request.time, asking);
    for (const [index, key] of keys.entries()) request.callers[index] = key.callerOf(line);
    if (needsView) request.view = logView(line);
    onRequest?.(request.time, asking);
    const admitted = judge.decide(request);
    if (isPromise(admitted))
      throw new RunError("simulate needs policies that decide at once: their functions must not return promises");
    const answer = judge.answer();
    tally.add(
      request.time,
      request.callers[reportBy] as number,
      request.cost,
      admitted,
      admitted && delays ? answer.delayMs : 0,
    );
    const summary = byTraffic[asking.traffic] as { requests: number; admitted: number };
    summary.requests += 1;
    if (admitted) summary.admitted += 1;
    return { admitted, headers: answerHeaders(admitted, answer, request.time) };
  }

  const world = new World(STARTED_AT, durationMs, serve);
  for (const [index, each] of traffic.entries())
    each.start(world, index === 0 ? new Random(seed) : new Random(seed, index), index);
  await world.run();
  return { tally, byTraffic };
}
