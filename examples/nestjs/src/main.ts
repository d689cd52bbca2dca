// A Nest API under rate limits. `npm start`, then curl what it prints.
import "reflect-metadata";
import { RateLimit, RateLimitGuard, RateLimitInfo, RateLimitModule, SkipRateLimit } from "@aforo/nestjs";
import type { RequestHandle } from "@aforo/nestjs";
import { Controller, Get, HttpCode, Module, Post } from "@nestjs/common";
import { APP_GUARD, NestFactory } from "@nestjs/core";

@Controller()
class ApiController {
  @Get()
  read(): string {
    return "hello\n";
  }

  @RateLimit("search")
  @Get("search")
  search(@RateLimitInfo() limit: RequestHandle): object {
    return { left: limit.remaining };
  }

  @RateLimit("export")
  @Post("export")
  @HttpCode(202)
  export(): string {
    return "exporting\n";
  }

  // A policy of this route alone, beside the hundred.
  @RateLimit({ name: "login", limit: "5/minute" })
  @Post("login")
  @HttpCode(401)
  login(): void {}

  @SkipRateLimit()
  @Get("healthz")
  health(): string {
    return "ok\n";
  }
}

@Module({
  imports: [
    RateLimitModule.forRoot({
      name: "api",
      limit: "100/minute",
      classes: { read: 1, search: 5, export: { cost: 50, algorithm: "token-bucket", limit: "100/minute", burst: 100 } },
      defaultClass: "read",
    }),
  ],
  controllers: [ApiController],
  // Behind a guard that authenticates, users are counted rather than addresses: guards run in the order written here.
  providers: [{ provide: APP_GUARD, useClass: RateLimitGuard }],
})
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: ["warn", "error"] });
await app.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1");
const url = await app.getUrl();
console.log(`listening on ${url}
  curl -i ${url}/                 costs 1 of 100 a minute
  curl -i ${url}/search           costs 5
  curl -i -X POST ${url}/export   costs 50, and two at once at most
  curl -i -X POST ${url}/login    5 a minute
  curl -i ${url}/healthz          is never limited`);

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void app.close());
