import "reflect-metadata";
import type { Server } from "node:http";
import { Controller, Get, Module } from "@nestjs/common";
import { APP_GUARD, NestFactory } from "@nestjs/core";
import { RateLimit, RateLimitGuard, RateLimitModule, SkipRateLimit } from "@aforo/nestjs";
import { tell } from "./story.js";

@Controller()
class ApiController {
  @Get()
  read(): string {
    return "hello";
  }

  @RateLimit("search")
  @Get("search")
  search(): string {
    return "found";
  }

  @SkipRateLimit()
  @Get("healthz")
  health(): string {
    return "ok";
  }
}

@Module({
  imports: [
    RateLimitModule.forRoot({
      limit: "2/day",
      algorithm: "fixed-window",
      classes: { read: 1, search: 2 },
      defaultClass: "read",
    }),
  ],
  controllers: [ApiController],
  providers: [{ provide: APP_GUARD, useClass: RateLimitGuard }],
})
class AppModule {}

async function start(): Promise<void> {
  const app = await NestFactory.create(AppModule, { logger: ["warn", "error"] });
  await app.listen(0);
  await tell(app.getHttpServer() as Server);
  await app.close();
}

void start();
