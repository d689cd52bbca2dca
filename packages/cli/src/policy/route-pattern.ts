import { UsageError } from "../usage-error.ts";

/** Whether a request is for a route; method and path as logged, both absent for what was no HTTP request. */
export type RoutePattern = (method: string | undefined, path: string | undefined) => boolean;

/**
 * Reads `/search`, `GET /search*`, `POST,PUT /users/:id`: `*` stands for any text, `:name` for one segment. The
 * query does not count.
 *
 * @throws {@link UsageError} naming the option when the text is no pattern.
 */
export function parseRoutePattern(option: string, text: string): RoutePattern {
  const match = /^(?:(?<methods>[A-Za-z]+(?:,[A-Za-z]+)*) +)?(?<path>[/*].*)$/.exec(text.trim());
  if (match?.groups === undefined) {
    throw new UsageError(
      `"${option}" must be a path, perhaps after methods, such as "GET /search*" or "/users/:id", got ${JSON.stringify(text)}`,
    );
  }
  const methods = match.groups["methods"]?.toUpperCase().split(",");
  const pattern = (match.groups["path"] as string)
    .replace(/[.+?^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replace(/:[A-Za-z_]\w*/g, "[^/]+");
  const route = new RegExp(`^${pattern}(?:[?#].*)?$`, "s");
  return (method, path) =>
    path !== undefined && (methods === undefined || methods.includes(method ?? "")) && route.test(path);
}
