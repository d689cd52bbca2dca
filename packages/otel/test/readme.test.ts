import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as core from "@aforo/core";
import { earlyInTheMinute } from "@aforo/testkit";
import { MeterProvider } from "@opentelemetry/sdk-metrics";
import * as otel from "../src/index.ts";

/** The snippets of the README, as functions of what they use. */
async function snippets(): Promise<string[]> {
  const text = await readFile(join(__dirname, "../README.md"), "utf8");
  return [...text.matchAll(/```js\n([^`]+)```/g)].map(([, code]) => (code as string).replace(/^import .*\n/gm, ""));
}

function run(code: string, names: Readonly<Record<string, unknown>>, result: string): unknown {
  // oxlint-disable-next-line typescript/no-implied-eval -- the README is ours
  return new Function(...Object.keys(names), `${code}; return ${result};`)(...Object.values(names));
}

test("the README's snippets run and do what it says", async () => {
  const [first, second, third, ...more] = (await snippets()) as [string, string, string, ...string[]];
  expect(more).toEqual([]);
  const meterProvider = new MeterProvider();
  const instrumentation = run(first, { ...otel, meterProvider }, "instrumentation") as otel.Instrumentation;

  const secret = "a secret of the tests";
  const records: core.DecisionRecord[] = [];
  const logger = { info: (record: core.DecisionRecord) => void records.push(record) };
  const limiter = run(second, { ...core, secret, logger }, "limiter") as core.Limiter<true>;
  await earlyInTheMinute();
  for (let i = 0; i < 101; i++) limiter.consume(core.user.key("42"));
  expect(records.at(-1)).toMatchObject({ decision: "denied", keyHash: run(third, { ...core, secret }, "hash") });
  instrumentation.stop();
  await limiter.close();
});

test("the README names every metric and every option", async () => {
  const text = await readFile(join(__dirname, "../README.md"), "utf8");
  for (const name of [...Object.values(otel.METRICS), "meterProvider", "spans", "distinctKeys"])
    expect([name, text.includes(`\`${name}\``)]).toEqual([name, true]);
});
