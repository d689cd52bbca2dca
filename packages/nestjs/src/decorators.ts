import { SetMetadata, createParamDecorator, type ExecutionContext } from "@nestjs/common";
import { latestHandle, type RequestHandle } from "@aforo/core/adapter";
import type { RouteLimit } from "./options.ts";

/** Where the decorators leave what they say. One key for all, so that a method's word wins over its controller's. */
export const ROUTE_LIMIT = "aforo:route-limit";

/** What a decorator says of a route. */
export type RouteRule = { readonly skip: true } | { readonly limit: RouteLimit };

/**
 * Gives a controller or a method a cost class by name, a policy, several, or a class in full. A method's wins over its
 * controller's. An unknown name is an error when the application starts.
 * @example
 * \@RateLimit("export") \@Get("export") exportAll() {}
 */
export function RateLimit(limit: RouteLimit): MethodDecorator & ClassDecorator {
  return SetMetadata(ROUTE_LIMIT, { limit } satisfies RouteRule);
}

/** Leaves a controller or a method out of all limits. A method's `@RateLimit()` wins over its controller's skip. */
export function SkipRateLimit(): MethodDecorator & ClassDecorator {
  return SetMetadata(ROUTE_LIMIT, { skip: true } satisfies RouteRule);
}

/** A parameter with what the guard made of the request: {@link RequestHandle}, or `undefined` where none ran. */
export const RateLimitInfo: () => ParameterDecorator = createParamDecorator(
  (_data: unknown, context: ExecutionContext): RequestHandle | undefined =>
    context.getType() === "http" ? latestHandle(context.switchToHttp().getRequest<object>()) : undefined,
);
