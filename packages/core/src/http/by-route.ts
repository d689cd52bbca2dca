import { ConfigError, got } from "../domain/errors.ts";
import type { RequestView } from "../identity/request-view.ts";

interface Rule<Class extends string> {
  /** `undefined` for all methods. */
  readonly method: string | undefined;
  /** Lower case, without slashes at the ends; `:name` stands for one segment, a last `*` for any rest. */
  readonly segments: readonly string[];
  readonly className: Class;
}

const RULE = /^(?:([A-Za-z]+)\s+)?(\/\S*)$/;

/**
 * A `classify` that tells classes by method and route: `byRoute({ "POST /login": "login", "/reports/*": "heavy" })`. The
 * first rule that fits decides, and HEAD fits the rules of GET. Letter case, a trailing slash, empty segments and the query
 * make no difference, whatever the framework's router does, so that a dearer class cannot be dodged by respelling
 * a path. Compares with the matched pattern where the framework has one already, else with the path, decoded.
 *
 * @throws ConfigError for a key that is not a path such as `/login`, perhaps with a method in front.
 */
export function byRoute<Class extends string>(classes: {
  readonly [route: string]: Class;
}): (request: RequestView) => Class | undefined {
  const rules = Object.entries(classes).map(([route, className]) => ruleOf(route, className));
  return (request) => {
    const method = request.method === "HEAD" ? "GET" : request.method;
    const pattern = request.route === undefined ? undefined : segmentsOf(request.route);
    const path = segmentsOf(decoded(request.path));
    return rules.find(
      (rule) =>
        (rule.method ?? method) === method &&
        ((pattern !== undefined && same(rule.segments, pattern)) || fits(rule.segments, path)),
    )?.className;
  };
}

function ruleOf<Class extends string>(route: string, className: Class): Rule<Class> {
  const match = RULE.exec(route);
  if (match === null) {
    throw new ConfigError(
      "ERR_AFORO_INVALID_OPTION",
      `byRoute() needs routes such as "/login" or "POST /login", ${got(route)}`,
    );
  }
  return { method: match[1]?.toUpperCase(), segments: segmentsOf(match[2] as string), className };
}

function segmentsOf(path: string): readonly string[] {
  return path
    .toLowerCase()
    .split("/")
    .filter((segment) => segment !== "");
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((segment, index) => segment === b[index]);
}

function fits(rule: readonly string[], path: readonly string[]): boolean {
  const open = rule[rule.length - 1] === "*";
  if (open ? path.length < rule.length - 1 : path.length !== rule.length) return false;
  return rule.every(
    (segment, index) => segment === path[index] || segment.startsWith(":") || (open && index === rule.length - 1),
  );
}

/** Some routers decode before they match. */
function decoded(path: string): string {
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
