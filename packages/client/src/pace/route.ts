/**
 * The route that a request seems to take, for limits that differ by route: method and path, with segments that look like
 * identifiers (a digit in them, or long) made one.
 */
export function routeOf(method: string, path: string): string {
  const segments = path.split("/").map((segment) => (/\d/.test(segment) || segment.length > 32 ? ":id" : segment));
  return `${method} ${segments.join("/")}`;
}
