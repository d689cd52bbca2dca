import "reflect-metadata";
import { redisStore } from "@aforo/core/redis";
import { RateLimitGuard, RateLimitModule } from "@aforo/nestjs";
import { Controller, Get, Module } from "@nestjs/common";
import { APP_GUARD, NestFactory } from "@nestjs/core";
import { ThrottlerGuard, ThrottlerModule } from "@nestjs/throttler";

/**
 * The module that limits, and its guard.
 * @type {Record<string, (context: import("./index.js").ServerContext) => { module: any, guard: any } | undefined>}
 */
export const variants = {
  bare: () => undefined,
  "ours, memory": ({ limit, windowMs }) => ours({ limit, window: windowMs }),
  "ours, Redis": ({ limit, windowMs, client }) =>
    ours({ limit, window: windowMs, store: redisStore(client), storeTimeoutMs: 5_000 }),
  "@nestjs/throttler, memory": ({ limit, windowMs }) => ({
    module: ThrottlerModule.forRoot([{ ttl: windowMs, limit }]),
    guard: ThrottlerGuard,
  }),
};

/** @param {import("@aforo/nestjs").RateLimitModuleOptions} options */
function ours(options) {
  return { module: RateLimitModule.forRoot(options), guard: RateLimitGuard };
}

class HelloController {
  hello() {
    return { hello: "world" };
  }
}
// What decorators do, without a compiler.
Controller()(HelloController);
const { prototype } = HelloController;
Get()(prototype, "hello", /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(prototype, "hello")));

/**
 * @param {string} variant
 * @param {import("./index.js").ServerContext} context
 */
export async function listen(variant, context) {
  const limited = variants[variant]?.(context);
  class AppModule {}
  Module({
    imports: limited === undefined ? [] : [limited.module],
    controllers: [HelloController],
    providers: limited === undefined ? [] : [{ provide: APP_GUARD, useClass: limited.guard }],
  })(AppModule);
  const app = await NestFactory.create(AppModule, { logger: false });
  await app.listen(0, "127.0.0.1");
  return /** @type {import("node:http").Server} */ (app.getHttpServer());
}
