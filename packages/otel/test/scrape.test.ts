import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createLimiter } from "@aforo/core";
import { redisStore } from "@aforo/core/redis";
import { rateLimit } from "@aforo/express";
import { startRedis, waitFor, type RedisServer } from "@aforo/testkit/redis";
import express from "express";
import { Redis } from "ioredis";
import { instrument, METRICS, type Instrumentation } from "../src/index.ts";
import { startMonitoring, type Monitoring, type Scrape } from "./support/scrape.ts";
import { serve, type Served } from "./support/served.ts";

let monitoring: Monitoring;
let instrumentation: Instrumentation;
let redis: RedisServer;
let connection: Redis;
let served: Served;
let api: ReturnType<typeof rateLimit>;
let shared: ReturnType<typeof rateLimit>;
let latest: Scrape;

beforeAll(async () => {
  monitoring = await startMonitoring();
  instrumentation = instrument({ meterProvider: monitoring.meterProvider });
  redis = await startRedis();
  connection = new Redis(redis.port, redis.host, { retryStrategy: () => 20 });
  connection.on("error", () => {});

  const key = (view: { header(name: string): string | undefined }): string | undefined => view.header("x-caller");
  api = rateLimit({
    name: "api",
    policies: [
      { name: "day", limit: "10/day", key },
      { name: "stricter", limit: "5/day", key, mode: "shadow" },
    ],
    classes: { read: 1, export: 4 },
    defaultClass: "read",
    classify: (view) => (view.header("x-class") === "export" ? "export" : undefined),
    cost: (view) => (view.header("x-class") === "everything" ? 11 : undefined),
  });
  shared = rateLimit({
    name: "shared",
    store: redisStore(connection),
    limit: "1000/day",
    key,
    onStoreError: "local",
    storeTimeoutMs: 30_000,
    breakerThreshold: 2,
    probeIntervalMs: 20,
  });
  const app = express();
  app.get("/api", api, (_req, res) => void res.send("served"));
  app.get("/shared", shared, (_req, res) => void res.send("served"));
  served = await serve(app);
}, 60_000);

afterAll(async () => {
  instrumentation.stop();
  await served.stop();
  await api.limiter.close();
  await shared.limiter.close();
  connection.disconnect();
  await redis.stop();
  await monitoring.stop();
});

describe("a scrape over HTTP", () => {
  test("counts what was sent, for each outcome", async () => {
    const statuses: Record<string, number> = {};
    let sent = 0;
    const send = async (caller: string, className: string, count: number): Promise<void> => {
      for (let i = 0; i < count; i++) {
        sent++;
        const { status } = await served.client.get("/api", { headers: { "x-caller": caller, "x-class": className } });
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    };
    await send("a", "read", 13);
    await send("b", "export", 5);
    await send("c", "everything", 2);
    expect(statuses).toEqual({ 200: 12, 429: 8 });

    latest = await monitoring.scrape();
    const decisions = (labels: Record<string, string>): number =>
      latest.sum("aforo_decisions_total", { aforo_limiter: "api", ...labels });
    expect(decisions({})).toBe(sent);
    expect(decisions({ aforo_outcome: "admitted" })).toBe(12);
    expect(decisions({ aforo_outcome: "denied", aforo_reason: "quota" })).toBe(6);
    expect(decisions({ aforo_outcome: "denied", aforo_reason: "cost-above-limit" })).toBe(2);
    expect(decisions({ aforo_class: "read", aforo_reason: "quota", aforo_policy: "day" })).toBe(3);
    expect(decisions({ aforo_class: "export" })).toBe(5);
    expect(decisions({ aforo_source: "store" })).toBe(sent);
    const responses = (status: string): number =>
      latest.sum("aforo_responses_total", { aforo_limiter: "api", http_response_status_code: status });
    expect([responses("200"), responses("429")]).toEqual([12, 8]);
    expect(latest.sum("aforo_wait_count", { aforo_limiter: "api" })).toBe(6);
  });

  test("tells what a stricter policy would have done", () => {
    const verdicts = (verdict: string): number =>
      latest.sum("aforo_shadow_decisions_total", { aforo_policy: "stricter", aforo_verdict: verdict });
    // Of a: 5 agree, 5 would be denied, 3 are denied by both. Of b: 1 agrees, 1 would be denied, 3 by both. Of c: both.
    expect([verdicts("agree"), verdicts("would-deny"), verdicts("would-allow")]).toEqual([14, 6, 0]);
  });

  test("estimates the distinct keys of each policy, and counts keys that came near their limit", () => {
    expect(latest.sum("aforo_keys_distinct", { aforo_limiter: "api", aforo_policy: "day" })).toBe(3);
    expect(latest.sum("aforo_events_total", { aforo_event_type: "near-limit", aforo_policy: "day" })).toBe(2);
  });

  test("shows a store that fails, what takes its place, and that it is back", async () => {
    const ask = async (): Promise<number> =>
      (await served.client.get("/shared", { headers: { "x-caller": "a" } })).status;
    for (let i = 0; i < 3; i++) expect(await ask()).toBe(200);
    expect((await monitoring.scrape()).sum("aforo_store_down", { aforo_limiter: "shared" })).toBe(0);

    await redis.kill();
    for (let i = 0; i < 5; i++) expect(await ask()).toBe(200);
    const failing = await monitoring.scrape();
    expect(failing.sum("aforo_store_down", { aforo_limiter: "shared" })).toBe(1);
    expect(failing.sum("aforo_decisions_total", { aforo_limiter: "shared", aforo_source: "local" })).toBe(5);

    await redis.restart();
    await waitFor("the store is back", async () => {
      const scrape = await monitoring.scrape();
      return scrape.sum("aforo_store_down", { aforo_limiter: "shared" }) === 0;
    });
    expect(await ask()).toBe(200);
    latest = await monitoring.scrape();
    expect(latest.sum("aforo_decisions_total", { aforo_limiter: "shared" })).toBe(9);
    expect(latest.sum("aforo_decisions_total", { aforo_limiter: "shared", aforo_source: "store" })).toBe(4);
    const transitions = (state: string): number =>
      latest.sum("aforo_store_transitions_total", { aforo_store_state: state });
    expect([transitions("down"), transitions("up")]).toEqual([1, 1]);
    const calls = latest.samples.filter(
      ({ name, labels }) => name === "aforo_store_call_duration_count" && labels["aforo_limiter"] === "shared",
    );
    const failed = calls.filter(({ labels }) => labels["error_type"] !== undefined);
    const sum = (samples: typeof calls): number => samples.reduce((total, { value }) => total + value, 0);
    // Two failures open the breaker; then nobody asks.
    expect([sum(calls), sum(failed)]).toEqual([6, 2]);
  });

  test("counts what is done by hand, what is held back, and what is raised", async () => {
    await api.limiter.block("custom:a", 60_000);
    await api.limiter.reset("custom:a");
    const slow = createLimiter({
      name: "slow",
      policies: [{ name: "p", algorithm: "leaky-bucket", limit: "1/hour", burst: 2 }],
    });
    slow.consume("k");
    slow.raise(slow.consume("other"), 2);
    slow.consume("k");
    await slow.close();
    latest = await monitoring.scrape();
    const operations = (operation: string): number =>
      latest.sum("aforo_key_operations_total", { aforo_key_operation: operation });
    expect([operations("block"), operations("reset")]).toEqual([1, 1]);
    expect(latest.sum("aforo_raises_total", { aforo_limiter: "slow", aforo_outcome: "admitted" })).toBe(1);
    expect(latest.sum("aforo_delay_sum", { aforo_limiter: "slow" })).toBe(3_600);
  });

  test("has every metric, described, and no label without a value", () => {
    for (const name of Object.values(METRICS)) {
      const prefix = name.replaceAll(".", "_");
      expect([name, [...latest.names].some((each) => each.startsWith(prefix))]).toEqual([name, true]);
    }
    const described = latest.text.match(/^# HELP aforo_\w+ .{10,}$/gm) ?? [];
    expect(described).toHaveLength(Object.keys(METRICS).length);
    expect(latest.text).not.toMatch(/undefined|description missing|=""/);
  });

  test("has as many series after a thousand callers as after three: none is named after a caller", async () => {
    const series = async (): Promise<number> =>
      (await monitoring.scrape()).samples.filter(({ name }) => name.startsWith("aforo_")).length;
    const before = await series();
    const limiter = createLimiter({
      name: "slow",
      policies: [{ name: "p", limit: "2/hour", algorithm: "leaky-bucket" }],
    });
    for (let i = 0; i < 1_000; i++) limiter.consume(`user:caller-${i}`);
    await limiter.close();
    expect((await series()) - before).toBeLessThanOrEqual(30);
    const scrape = await monitoring.scrape();
    expect(scrape.text).not.toContain("caller-");
    const keys = scrape.sum("aforo_keys_distinct", { aforo_limiter: "slow" });
    // The estimate is within 5 % in all but one of a thousand runs.
    expect(Math.abs(keys - 1_002)).toBeLessThan(50);
  });
});

describe.each(["grafana-dashboard.json", "prometheus-alerts.yaml"])("%s", (file) => {
  test("asks for nothing that the scrape does not have", async () => {
    const queries = (await readFile(join(__dirname, "..", file), "utf8"))
      .split("\n")
      .filter((line) => /^\s*"?expr"?:/.test(line))
      .map((line) => line.replaceAll('\\"', '"'));
    expect(queries.length).toBeGreaterThan(5);
    const known = new Set(latest.samples.flatMap((sample) => Object.keys(sample.labels)));
    for (const query of queries) {
      const byName = [...query.matchAll(/__name__=~"([^"]+)"/g)].map(([, name]) => new RegExp(`^${name}$`));
      const groups = [...query.matchAll(/\bby \(([^)]+)\)/g)].flatMap(([, by]) => (by as string).split(", "));
      const selectors = [...query.matchAll(/\{([^}]*)\}/g)].flatMap(([, selector]) =>
        [...(selector as string).matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, label]) => label as string),
      );
      const metrics = [...query.replaceAll(/\bby \([^)]+\)|\{[^}]*\}/g, " ").matchAll(/\baforo_\w+/g)].map(
        ([name]) => new RegExp(`^${name}$`),
      );
      const asked = [...byName, ...metrics];
      expect([query, asked.length > 0]).toEqual([query, true]);
      expect(asked.filter((name) => ![...latest.names].some((each) => name.test(each)))).toEqual([]);
      expect([...groups, ...selectors].filter((label) => label !== "__name__" && !known.has(label))).toEqual([]);
    }
  });
});
