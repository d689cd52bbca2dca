import { setImmediate } from "node:timers/promises";
import { createLimiter } from "@aforo/core";
import { redisStore } from "@aforo/core/redis";
import { startRedis, type RedisServer } from "@aforo/testkit/redis";
import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { MeterProvider } from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { Redis } from "ioredis";
import { instrument, type Instrumentation } from "../src/index.ts";

const spans = new InMemorySpanExporter();
const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
const tracer = tracerProvider.getTracer("tests");
const meterProvider = new MeterProvider();
let instrumentation: Instrumentation;

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(tracerProvider);
});

afterAll(async () => {
  context.disable();
  trace.disable();
  await tracerProvider.shutdown();
});

beforeEach(() => {
  instrumentation = instrument({ meterProvider });
  spans.reset();
});

afterEach(() => instrumentation.stop());

/** The attributes that a span has after what happens in it. */
async function within(name: string, happens: () => unknown): Promise<Record<string, unknown>> {
  await tracer.startActiveSpan(name, async (span) => {
    await happens();
    span.end();
  });
  return spans.getFinishedSpans().find((span) => span.name === name)?.attributes ?? {};
}

describe("the active span", () => {
  test("is told what was decided, and by which policy", async () => {
    const limiter = createLimiter({ policies: [{ name: "minute", limit: "2/hour", algorithm: "gcra" }] });
    const admitted = await within("admitted", () =>
      limiter.consumeEach([{ policy: 0, key: "user:a", cost: 1 }], undefined, undefined, "read"),
    );
    expect(admitted).toEqual({
      "aforo.limiter": "default",
      "aforo.policy": "minute",
      "aforo.class": "read",
      "aforo.outcome": "admitted",
      "aforo.reason": "admitted",
      "aforo.source": "store",
      "aforo.remaining": 1,
      "aforo.wait": 0,
    });
    const denied = await within("denied", () => limiter.consume("user:a", 2));
    expect(denied).toMatchObject({ "aforo.outcome": "denied", "aforo.reason": "quota" });
    expect(denied["aforo.wait"]).toBeGreaterThan(1_790);
    expect(denied["aforo.wait"]).toBeLessThanOrEqual(1_800);
    const never = await within("never", () => limiter.consume("user:a", 3));
    expect(never).toMatchObject({ "aforo.reason": "cost-above-limit" });
    expect(never).not.toHaveProperty("aforo.wait");
    await limiter.close();
  });

  test("is left alone without a decision, with spans: false, and after stop", async () => {
    instrumentation.stop();
    const limiter = createLimiter({ policies: [{ name: "minute", limit: "2/day" }] });
    expect(await within("stopped", () => limiter.consume("k"))).toEqual({});
    instrumentation = instrument({ meterProvider, spans: false });
    expect(await within("without", () => limiter.consume("k"))).toEqual({});
    await limiter.close();
  });

  describe("with Redis", () => {
    let redis: RedisServer;
    let client: Redis;

    beforeAll(async () => {
      redis = await startRedis();
      client = new Redis(redis.port, redis.host);
    }, 60_000);

    afterAll(async () => {
      client.disconnect();
      await redis.stop();
    });

    test("is each request's own, though many are decided in one call", async () => {
      const limiter = createLimiter({
        store: redisStore(client),
        storeTimeoutMs: 30_000,
        policies: [{ name: "minute", limit: "100/day" }],
      });
      const remaining = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          within(`request ${index}`, async () => {
            await limiter.consume(`user:${index}`, index + 1);
            await setImmediate();
          }).then((attributes) => attributes["aforo.remaining"]),
        ),
      );
      expect(remaining).toEqual(Array.from({ length: 20 }, (_, index) => 99 - index));
      await limiter.close();
    });
  });
});

describe("instrument", () => {
  test.each([
    [{ meter: 1 }],
    [{ spans: 1 }],
    [{ distinctKeys: 10 }],
    [{ distinctKeys: true }],
    [{ meterProvider: {} }],
    [null],
  ])("refuses %j", (options) => {
    expect(() => instrument(options as never)).toThrow(expect.objectContaining({ name: "ConfigError" }));
  });
});
