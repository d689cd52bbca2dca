import type { KeyExtractor } from "./key-source.ts";

/** Names the key of a route, for what is done by hand. */
export interface RouteKeys {
  key(method: string, pattern: string): string;
}

function createRoute(): KeyExtractor {
  return {
    kind: "route",
    prepare: () => (request) => (request.route === undefined ? undefined : routeKey(request.method, request.route)),
  };
}

/**
 * Counts by the matched route: method and pattern, such as `GET /users/:id`, never the raw path, of which a caller
 * can make up any number. Falls through while no route is known: use it where the framework has matched one. HEAD
 * counts as GET, whose handler answers it.
 */
export const route: (() => KeyExtractor) & RouteKeys = Object.assign(createRoute, { key: routeKey });

function routeKey(method: string, pattern: string): string {
  return `route:${method === "HEAD" ? "GET" : method} ${pattern}`;
}
