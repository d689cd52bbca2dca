import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { inspect } from "node:util";
import { apiKey, CHANNELS, firstOf, ip, user } from "@aforo/core";
import { redisStore } from "@aforo/core/redis";
import { rateLimit } from "@aforo/express";
import { startRedis, waitFor, type RedisServer } from "@aforo/testkit/redis";
import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import express from "express";
import { Redis } from "ioredis";
import { instrument } from "../src/index.ts";
import { startMonitoring } from "./support/scrape.ts";
import { serve } from "./support/served.ts";

/** What nobody may find where it does not belong; the first two are credentials, the others say who somebody is. */
const PLANTED = {
  vouched: "planted-vouched-credential",
  unknown: "planted-unknown-credential",
  secret: "planted-secret-of-the-limiter",
  user: "planted-user-4711",
  address: "127.83.61.47",
};

/** Everything that one run leaves somewhere, by place. */
interface Traces {
  readonly watched: string;
  readonly events: string;
  readonly redis: string;
  readonly answers: string;
  readonly output: string;
  readonly heard: Readonly<Record<string, number>>;
}

async function run(options: { readonly hashKeys: boolean; readonly secret?: string }): Promise<Traces> {
  const [watched, events, redisTexts, answers, output]: string[][] = [[], [], [], [], []];
  const heard: Record<string, number> = {};
  const show = (value: unknown): string =>
    inspect(value, { depth: Infinity, showHidden: true, maxStringLength: null, maxArrayLength: null });
  const listeners = Object.values(CHANNELS).map((channel) => {
    const hear = (message: unknown): void => {
      heard[channel] = (heard[channel] ?? 0) + 1;
      (channel === CHANNELS.event ? events : watched)?.push(show(message));
    };
    subscribe(channel, hear);
    return () => unsubscribe(channel, hear);
  });
  const onWarning = (warning: Error): void => void output?.push(show(warning));
  process.on("warning", onWarning);
  const prints = [process.stdout, process.stderr].map((stream) =>
    jest.spyOn(stream, "write").mockImplementation((chunk) => {
      output?.push(String(chunk));
      return true;
    }),
  );
  const spans = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
  trace.setGlobalTracerProvider(tracerProvider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const monitoring = await startMonitoring();
  const instrumentation = instrument({ meterProvider: monitoring.meterProvider });
  const redis: RedisServer = await startRedis();
  const client = new Redis(redis.port, redis.host, { retryStrategy: () => 20 });
  client.on("error", () => {});

  const limit = rateLimit({
    name: "planted",
    store: redisStore(client),
    policies: [
      {
        name: "caller",
        limit: "3/day",
        key: firstOf(
          apiKey({ resolve: (credential) => credential === PLANTED.vouched }),
          user((view) => view.header("x-user")),
          ip(),
        ),
      },
      { name: "network", limit: "1000/day", algorithm: "gcra", key: ip() },
      { name: "candidate", limit: "1/day", key: ip(), mode: "shadow" },
    ],
    headers: { draft: "draft-11" },
    onDecision: (record) => void watched?.push(show(record), JSON.stringify(record)),
    onResponse: (record) => void watched?.push(show(record)),
    onEvent: (event) => void events?.push(show(event)),
    storeTimeoutMs: 2_000,
    breakerThreshold: 3,
    probeIntervalMs: 20,
    ...options,
  });
  const app = express();
  app.use((_req, _res, next) =>
    tracerProvider.getTracer("t").startActiveSpan("request", (span) => (next(), span.end())),
  );
  app.get("/", limit, (req, res) => void res.send(req.rateLimit.explain()));
  const served = await serve(app);
  const send = async (headers: Record<string, string>): Promise<void> => {
    const { headers: answered, body } = await served.client.get("/", { headers, from: PLANTED.address });
    answers?.push(show(answered), body);
  };
  const all = async (): Promise<void> => {
    for (let i = 0; i < 5; i++) {
      await send({ "x-api-key": PLANTED.vouched });
      await send({ "x-api-key": PLANTED.unknown, "x-user": PLANTED.user });
      await send({});
    }
  };
  await all();
  const admin = limit.limiter;
  await admin.block(user.key(PLANTED.user), 60_000);
  await admin.charge(apiKey.key(PLANTED.vouched), 2);
  answers?.push(await admin.explain(user.key(PLANTED.user)));
  redisTexts?.push(await redis.cli("KEYS", "*"));
  for (const key of (await redis.cli("KEYS", "*")).split("\n")) redisTexts?.push(await redis.cli("DUMP", key));
  // An administrator's mistake makes scripts fail with errors that quote what was sent.
  await redis.cli("ACL", "SETUSER", "default", "-@scripting");
  await all();
  await redis.cli("ACL", "SETUSER", "default", "+@all");
  await redis.kill();
  await all();
  await redis.restart();
  await waitFor("the store is back", () => events?.some((event) => event.includes("store-up")) === true);
  watched?.push(
    (await monitoring.scrape()).text,
    ...spans.getFinishedSpans().map(({ attributes }) => show(attributes)),
  );

  for (const unlisten of listeners) unlisten();
  for (const print of prints) print.mockRestore();
  process.off("warning", onWarning);
  instrumentation.stop();
  await served.stop();
  await admin.close();
  client.disconnect();
  await redis.stop();
  await monitoring.stop();
  await tracerProvider.shutdown();
  trace.disable();
  context.disable();
  const text = (parts: string[] | undefined): string => (parts ?? []).join("\n");
  return {
    watched: text(watched),
    events: text(events),
    redis: text(redisTexts),
    answers: text(answers),
    output: text(output),
    heard,
  };
}

const CREDENTIALS = [PLANTED.vouched, PLANTED.unknown, PLANTED.secret];
const EVERYTHING = Object.values(PLANTED);

function found(text: string, planted: readonly string[]): string[] {
  return planted.filter((each) => text.includes(each));
}

describe("over a run with admissions, denials, blocks, a failing store and what an operator does", () => {
  test.each([
    { hashKeys: false },
    { hashKeys: false, secret: PLANTED.secret },
    { hashKeys: true },
    { hashKeys: true, secret: PLANTED.secret },
  ])("A22 nobody finds a credential anywhere, nor with hashKeys an address or user, with %j", async (options) => {
    const traces = await run(options);
    for (const channel of Object.values(CHANNELS)) expect(traces.heard[channel]).toBeGreaterThan(3);
    expect(traces.watched).toContain("aforo_decisions_total");
    expect(traces.redis).toContain("caller");
    expect(traces.events).toContain("store-down");

    // Whatever is watched by machines holds no key at all, hashed in the store or not.
    expect(found(traces.watched, EVERYTHING)).toEqual([]);
    for (const place of ["events", "redis", "answers", "output"] as const)
      expect([place, found(traces[place], options.hashKeys ? EVERYTHING : CREDENTIALS)]).toEqual([place, []]);
    // And the search would find what is there.
    if (!options.hashKeys) expect(found(traces.redis, EVERYTHING)).toEqual([PLANTED.user, PLANTED.address]);
  });
});
