import { createHttpLimiter, type HttpLimiter } from "@aforo/core/adapter";
import { Module, type DynamicModule, type OnApplicationShutdown, type Provider } from "@nestjs/common";
import { APP_FILTER, DiscoveryModule } from "@nestjs/core";
import { RateLimitGuard } from "./guard.ts";
import type { NestRequest, RateLimitModuleAsyncOptions, RateLimitModuleOptions } from "./options.ts";
import { RejectionFilter } from "./rejection-filter.ts";
import { RouteClasses } from "./route-classes.ts";
import { HTTP_LIMITER, OPTIONS, RATE_LIMITER } from "./tokens.ts";

/**
 * Provides one limiter to the whole application. The guard applies it.
 * @example
 * \@Module({
 *   imports: [RateLimitModule.forRoot({ limit: "100/minute" })],
 *   providers: [{ provide: APP_GUARD, useClass: RateLimitGuard }],
 * })
 * class AppModule {}
 */
export class RateLimitModule {
  static {
    Module({})(this);
  }

  /** @throws ConfigError for every option that is wrong, when the application starts. */
  static forRoot<Class extends string = never>(options: RateLimitModuleOptions<Class>): DynamicModule {
    return moduleOf([{ provide: OPTIONS, useValue: options }], []);
  }

  /** As {@link forRoot}, with options that a factory makes. */
  static forRootAsync({ imports = [], inject = [], useFactory }: RateLimitModuleAsyncOptions): DynamicModule {
    return moduleOf([{ provide: OPTIONS, inject, useFactory: useFactory as (...args: unknown[]) => unknown }], imports);
  }
}

function moduleOf(options: Provider[], imports: NonNullable<DynamicModule["imports"]>): DynamicModule {
  return {
    module: RateLimitModule,
    global: true,
    imports: [DiscoveryModule, ...imports],
    providers: [
      ...options,
      { provide: HTTP_LIMITER, inject: [OPTIONS], useFactory: createLimiter },
      { provide: RATE_LIMITER, inject: [HTTP_LIMITER], useFactory: ({ limiter }: HttpLimiter) => limiter },
      { provide: Closing, inject: [HTTP_LIMITER], useFactory: (http: HttpLimiter) => new Closing(http) },
      { provide: APP_FILTER, useClass: RejectionFilter },
      RouteClasses,
      RateLimitGuard,
    ],
    exports: [HTTP_LIMITER, RATE_LIMITER, RouteClasses, RateLimitGuard],
  };
}

function createLimiter(options: RateLimitModuleOptions): HttpLimiter<NestRequest> {
  return createHttpLimiter(options, {
    name: "nestjs",
    proxyHint: `Set the platform's "trust proxy" (Express) or "trustProxy" (Fastify).`,
  });
}

/** Closes the limiter with the application; a store that was given stays open. */
class Closing implements OnApplicationShutdown {
  readonly #http: HttpLimiter;

  constructor(http: HttpLimiter) {
    this.#http = http;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#http.close();
  }
}
