import "reflect-metadata";
import { memoryStore } from "@aforo/core";
import { Controller, Get, UseGuards, type ExecutionContext, type INestApplication, type Type } from "@nestjs/common";
import { APP_GUARD, NestFactory } from "@nestjs/core";
import { expectTypeOf } from "expect-type";
import {
  RATE_LIMITER,
  RateLimit,
  RateLimitGuard,
  RateLimitInfo,
  RateLimitModule,
  SkipRateLimit,
  type Limiter,
  type RateLimitModuleOptions,
  type RequestHandle,
} from "../src/index.ts";

const options = { limit: "100/day", classes: { read: 1, export: 50 }, defaultClass: "read" } as const;
const GLOBAL = [{ provide: APP_GUARD, useClass: RateLimitGuard }];
const apps: INestApplication[] = [];

afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

async function start(
  controllers: Type[],
  providers: object[] = GLOBAL,
  module = RateLimitModule.forRoot({ ...options, store: memoryStore() } as never),
) {
  const root = { module: class AppModule {}, imports: [module], controllers, providers: providers as never };
  const app = await NestFactory.create(root, { logger: false, abortOnError: false });
  apps.push(app);
  await app.listen(0, "127.0.0.1");
  const remaining = async (path: string): Promise<string | null> =>
    (await fetch(`${await app.getUrl()}${path}`)).headers.get("x-ratelimit-remaining");
  return { app, remaining };
}

@RateLimit("export")
@Controller("reports")
class Reports {
  @Get("all")
  all(): string {
    return "50";
  }

  @RateLimit("read")
  @Get("one")
  one(): string {
    return "1";
  }

  @SkipRateLimit()
  @Get("health")
  health(): string {
    return "free";
  }
}

@SkipRateLimit()
@Controller("open")
class Open {
  @Get("free")
  free(): string {
    return "free";
  }

  @RateLimit("read")
  @Get("counted")
  counted(): string {
    return "1";
  }
}

test("a controller's decorator holds for its methods, and a method's wins", async () => {
  const { remaining } = await start([Reports, Open]);
  expect(await remaining("/reports/all")).toBe("50");
  expect(await remaining("/reports/one")).toBe("49");
  expect(await remaining("/reports/health")).toBeNull();
  expect(await remaining("/open/free")).toBeNull();
  expect(await remaining("/open/counted")).toBe("48");
});

test("without a global guard only guarded controllers are limited", async () => {
  @UseGuards(RateLimitGuard)
  @Controller("guarded")
  class Guarded {
    @Get()
    get(): string {
      return "1";
    }
  }
  const { remaining } = await start([Guarded, Reports], []);
  expect(await remaining("/guarded")).toBe("99");
  expect(await remaining("/reports/all")).toBeNull();
});

test("an unknown class stops the application from starting, with the nearest name", async () => {
  @Controller("typo")
  class Typo {
    @RateLimit("exprot")
    @Get()
    get(): string {
      return "";
    }
  }
  await expect(start([Typo])).rejects.toMatchObject({ code: "ERR_AFORO_UNKNOWN_CLASS" });
  await expect(start([Typo])).rejects.toThrow(/Typo\.get.*"export"/s);
});

test("a policy, several, and a class in full may stand on a route", async () => {
  @Controller("own")
  class Own {
    @RateLimit({ name: "one", limit: "5/day" })
    @Get("policy")
    policy(): string {
      return "";
    }

    @RateLimit([
      { name: "two", limit: "4/day" },
      { name: "three", limit: "3/day" },
    ])
    @Get("policies")
    policies(): string {
      return "";
    }

    @RateLimit({ cost: 10 })
    @Get("class")
    class(): string {
      return "";
    }
  }
  const { remaining } = await start([Own]);
  expect(await remaining("/own/policy")).toBe("4");
  expect(await remaining("/own/policies")).toBe("2");
  expect(await remaining("/own/class")).toBe("88");
});

test("forRootAsync takes what a factory makes of other providers", async () => {
  class Config {
    readonly limit = "7/day";
  }
  const configModule = { module: class ConfigModule {}, providers: [Config], exports: [Config] };
  const module = RateLimitModule.forRootAsync({
    imports: [configModule],
    inject: [Config],
    useFactory: async ({ limit }: Config): Promise<RateLimitModuleOptions> => ({ limit }),
  });
  @Controller("plain")
  class Plain {
    @Get()
    get(): string {
      return "";
    }
  }
  const { remaining } = await start([Plain], GLOBAL, module);
  expect(await remaining("/plain")).toBe("6");
});

test("options that are wrong stop the application from starting", async () => {
  const module = RateLimitModule.forRoot({ limt: "1/day" } as never);
  await expect(start([Reports], GLOBAL, module)).rejects.toMatchObject({ code: "ERR_AFORO_UNKNOWN_OPTION" });
});

test("the limiter is a provider, for what is done by hand", async () => {
  const { app, remaining } = await start([Reports]);
  await remaining("/reports/all");
  await app.get<Limiter>(RATE_LIMITER).reset("ip:127.0.0.1");
  expect(await remaining("/reports/one")).toBe("99");
});

test("handlers are given what the guard made of their request", async () => {
  let seen: RequestHandle | undefined;
  @Controller("info")
  class Info {
    @Get()
    get(@RateLimitInfo() handle: RequestHandle): string {
      seen = handle;
      return "";
    }
  }
  const { remaining } = await start([Info]);
  await remaining("/info");
  expect(seen).toMatchObject({ limiter: "default", class: "read", remaining: 99 });
});

test.each(["rpc", "ws", "graphql"])("what is no HTTP passes: %s", async (type) => {
  const { app } = await start([Reports]);
  const context = { getType: () => type } as unknown as ExecutionContext;
  expect(app.get(RateLimitGuard).canActivate(context)).toBe(true);
});

test("the options know the names of their classes", () => {
  const options = { limit: "1/day", classes: { read: 1 }, defaultClass: "raed" } as const;
  // @ts-expect-error: there is no such class
  expect(RateLimitModule.forRoot(options)).toHaveProperty("module");
  expectTypeOf(RateLimitModule.forRoot).returns.toHaveProperty("module");
});

test("a class may be called as anything, skip included", async () => {
  @Controller("odd")
  class Odd {
    @RateLimit("skip")
    @Get()
    get(): string {
      return "";
    }
  }
  const { remaining } = await start([Odd], GLOBAL, RateLimitModule.forRoot({ limit: "10/day", classes: { skip: 4 } }));
  expect(await remaining("/odd")).toBe("6");
});

test("the limiter is closed with the application, and the store that was given is not", async () => {
  const store = memoryStore();
  const closed = jest.spyOn(store, "close");
  const { app } = await start([Reports], GLOBAL, RateLimitModule.forRoot({ ...options, store } as never));
  const limiter = app.get<Limiter>(RATE_LIMITER);
  expect((await limiter.consume("ip:127.0.0.1")).source).toBe("store");
  await app.close();
  expect((await limiter.consume("ip:127.0.0.1")).source).toBe("fail-closed");
  expect(closed).not.toHaveBeenCalled();
});
