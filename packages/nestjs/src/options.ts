import type { HttpPolicy, RateLimitOptions } from "@aforo/core/adapter";
import type { ClassOptions } from "@aforo/core/adapter";
import type { ModuleMetadata, FactoryProvider } from "@nestjs/common";

/** What {@link RateLimitModule.forRoot} takes: what every adapter does. */
export type RateLimitModuleOptions<Class extends string = string> = RateLimitOptions<NestRequest, Class>;

/** What {@link RateLimitModule.forRootAsync} takes. */
export interface RateLimitModuleAsyncOptions extends Pick<ModuleMetadata, "imports"> {
  readonly inject?: FactoryProvider["inject"];
  /** Makes the options, perhaps of a configuration service. */
  readonly useFactory: (...dependencies: never[]) => RateLimitModuleOptions | Promise<RateLimitModuleOptions>;
}

/** The platform's request: Express's or Fastify's. */
export type NestRequest = object;

/** What `@RateLimit()` takes: a declared class, or what a class of the route's own is made of. */
export type RouteLimit =
  string | HttpPolicy<NestRequest> | readonly HttpPolicy<NestRequest>[] | ClassOptions<NestRequest>;
