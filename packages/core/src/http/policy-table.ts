import { ConfigError } from "../domain/errors.ts";
import { checkPolicy, POLICY_OPTIONS, type Policy } from "../domain/policy.ts";
import { requireKnownOptions, requireOneOf } from "../domain/options.ts";
import type { KeySource } from "../identity/key-source.ts";
import { requireKeySource } from "../identity/prepare.ts";
import type { RequestView } from "../identity/request-view.ts";
import type { HttpPolicy } from "./options.ts";

/** A policy of the limiter, and whom and what it is for. */
export interface TableRow<Raw> {
  /** As `createLimiter` takes it. */
  readonly policy: Policy<RequestView<Raw>>;
  /** Index into {@link PolicyTable.sources}. */
  readonly source: number;
  /** The classes it applies to: those of `only`, or the one it was declared in; `undefined` for all. */
  readonly classes: Set<string> | undefined;
  /** Most units that it can ever admit at once; `undefined` when a limit function tells, or it is a shadow. */
  readonly capacity: number | undefined;
  /** As it was written, to know it again in another class. */
  readonly written: HttpPolicy<Raw>;
}

const HTTP_POLICY_OPTIONS: readonly string[] = [...POLICY_OPTIONS, "key", "only"];

/** All policies of a limiter in the order of its decisions, and the key sources they use, each once. */
export class PolicyTable<Raw> {
  readonly rows: TableRow<Raw>[] = [];
  readonly sources: KeySource<Raw>[] = [];
  readonly #limiter: string;
  readonly #defaultKey: KeySource<Raw>;

  constructor(limiter: string, defaultKey: KeySource<Raw>) {
    this.#limiter = limiter;
    this.#defaultKey = defaultKey;
  }

  /**
   * Adds a policy of the limiter, for all classes or those of its `only`; or of one class.
   * @throws ConfigError for wrong options, unknown classes, and another policy of the same name.
   */
  add(written: HttpPolicy<Raw>, where: string, classNames: readonly string[], className?: string): void {
    requireKnownOptions(where, written, HTTP_POLICY_OPTIONS);
    const given: HttpPolicy<Raw> = written;
    const { key, only, ...policy } = given;
    const same = this.rows.find((row) => row.policy.name === policy.name);
    if (same !== undefined) {
      if (className === undefined || same.classes === undefined || !alike(same.written, given))
        throw duplicate(where, policy.name);
      same.classes.add(className);
      return;
    }
    if (only !== undefined && className !== undefined) {
      throw new ConfigError(
        "ERR_AFORO_CONFLICTING_OPTIONS",
        `"${where}.only" goes with the limiter's policies; a class's own are for that class alone`,
      );
    }
    const checked = checkPolicy(this.#limiter, policy, where);
    const source = key === undefined ? this.#defaultKey : requireKeySource<Raw>(`${where}.key`, key);
    if (!this.sources.includes(source)) this.sources.push(source);
    this.rows.push({
      policy,
      source: this.sources.indexOf(source),
      classes: className === undefined ? classesOf(only, `${where}.only`, classNames) : new Set([className]),
      capacity: checked.shadow ? undefined : checked.fixed?.capacity,
      written: given,
    });
  }
}

function classesOf(
  only: readonly string[] | undefined,
  where: string,
  classNames: readonly string[],
): Set<string> | undefined {
  if (only === undefined) return undefined;
  if (!Array.isArray(only) || only.length === 0)
    throw new ConfigError("ERR_AFORO_INVALID_OPTION", `"${where}" must name at least one class`);
  return new Set(only.map((name: string) => requireClassName(where, name, classNames)));
}

/** @throws ConfigError `ERR_AFORO_UNKNOWN_CLASS` with the nearest known name. */
export function requireClassName(where: string, name: unknown, known: readonly string[]): string {
  try {
    return requireOneOf(where, name, known);
  } catch (error) {
    throw new ConfigError(
      "ERR_AFORO_UNKNOWN_CLASS",
      known.length === 0 ? `"${where}" names a class, but "classes" declares none` : (error as Error).message,
    );
  }
}

/** Whether two classes wrote the same policy. */
function alike<Raw>(a: HttpPolicy<Raw>, b: HttpPolicy<Raw>): boolean {
  return HTTP_POLICY_OPTIONS.every(
    (option) => a[option as keyof HttpPolicy<Raw>] === b[option as keyof HttpPolicy<Raw>],
  );
}

function duplicate(where: string, name: string): ConfigError {
  return new ConfigError(
    "ERR_AFORO_DUPLICATE_NAME",
    `"${where}.name" must be unique in a limiter, got ${JSON.stringify(name)} twice; classes may share a policy that all of them write alike`,
  );
}
