import "reflect-metadata";
import { ThrottlerStorageRedisService } from "@nest-lab/throttler-storage-redis";
import { Controller, Get, Module, Req, Res, type ExecutionContext, type INestApplication } from "@nestjs/common";
import { APP_GUARD, NestFactory } from "@nestjs/core";
import { ThrottlerGuard, ThrottlerModule, type ThrottlerModuleOptions, type ThrottlerOptions } from "@nestjs/throttler";
import type { NestExpressApplication } from "@nestjs/platform-express";
import type { Request, Response } from "express";
import { CACHEABLE, answerTo } from "../answer.ts";
import { urlOf } from "../listen.ts";
import { Clients } from "../redis-client.ts";
import type { App, Setup, Subject } from "../subject.ts";

export const nestjsThrottler: Subject = {
  name: "@nestjs/throttler",
  packages: ["@nestjs/throttler", "@nest-lab/throttler-storage-redis"],
  lacks: {
    costs: "every request counts as one",
    failedAreFree: "none",
    keysAtMost: "remembers every key of a window",
    limitsInOutage: "none",
    spaced: "none",
    dryRun: "none",
    sparesRedis: "every request asks Redis",
    ietfFields: "none",
    reset: "none",
    fetch: "Nest only",
  },
  serve,
};

class ApiController {
  static {
    Controller()(this);
    const method = Object.getOwnPropertyDescriptor(this.prototype, "any") as PropertyDescriptor;
    Get("{*path}")(this.prototype, "any", method);
    Req()(this.prototype, "any", 0);
    Res()(this.prototype, "any", 1);
    Reflect.defineMetadata("design:paramtypes", [Object, Object], this.prototype, "any");
  }

  async any(req: Request, res: Response): Promise<void> {
    res.sendStatus(await answerTo(req.url));
  }
}

async function serve(setup: Setup): Promise<App> {
  const clients = new Clients();
  class AppModule {}
  Module({
    imports: [ThrottlerModule.forRoot(optionsOf(setup, clients))],
    controllers: [ApiController],
    providers: [{ provide: APP_GUARD, useClass: ThrottlerGuard }],
  })(AppModule);
  const app = await NestFactory.create<NestExpressApplication & INestApplication>(AppModule, { logger: false });
  app.set("trust proxy", 1);
  if (setup.cacheable) {
    app.use((_req: Request, res: Response, next: () => void) => {
      res.setHeader("cache-control", CACHEABLE);
      next();
    });
  }
  await clients.ready();
  await app.listen(0, "127.0.0.1");
  const server = app.getHttpServer();
  return {
    url: urlOf(server),
    async close() {
      server.closeAllConnections();
      await app.close();
      clients.close();
    },
  };
}

function optionsOf(setup: Setup, clients: Clients): ThrottlerModuleOptions {
  const { limits, redis, plans, blockMs } = setup;
  const throttlers = limits.map(({ name, limit, windowMs }) => ({
    ...(limits.length > 1 && { name }),
    ttl: windowMs,
    [setup.misspelled ? "limmit" : "limit"]: plans
      ? (context: ExecutionContext) => plans[context.switchToHttp().getRequest<Request>().get("plan") ?? ""] ?? limit
      : limit,
    ...(blockMs !== undefined && { blockDuration: blockMs }),
  }));
  return {
    throttlers: throttlers as unknown as ThrottlerOptions[],
    ...(redis !== undefined && { storage: new ThrottlerStorageRedisService(clients.open(redis)) }),
  };
}
