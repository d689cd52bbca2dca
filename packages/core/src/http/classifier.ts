import { AforoError, got } from "../domain/errors.ts";
import type { MaybePromise } from "../domain/store.ts";
import { guarded } from "../identity/guard.ts";
import type { RequestView } from "../identity/request-view.ts";
import type { ClassPlan } from "./class-table.ts";
import type { LimiterParts } from "./limiter-parts.ts";

/** Tells what requests are charged: by the class that their route names, or `classify`, or the default. */
export class Classifier<Raw> {
  readonly #parts: LimiterParts<Raw>;

  constructor(parts: LimiterParts<Raw>) {
    this.#parts = parts;
  }

  /** What a request is charged, when a limiter meets it first. */
  planOf(request: RequestView<Raw>, className: string | undefined): MaybePromise<ClassPlan> {
    const { classify } = this.#parts.options;
    if (className !== undefined) return this.#plan(className);
    if (classify === undefined) return this.#plan(this.#parts.options.defaultClass);
    return guarded(
      () => classify(request),
      (name) => this.#plan(name ?? this.#parts.options.defaultClass),
      (error) => {
        this.#parts.event("classify-failed", error);
        // Else who can make it fail would pay the least.
        return this.#parts.declared.classes.dearest;
      },
      this.#parts.checked.identityTimeoutMs,
    );
  }

  /** What a request is charged, where nothing but its route tells; `undefined` where the application is to be asked. */
  planOfRoute(className: string | undefined): ClassPlan | undefined {
    const { classify, cost, defaultClass } = this.#parts.options;
    return cost === undefined && (classify === undefined || className !== undefined)
      ? this.#plan(className ?? defaultClass)
      : undefined;
  }

  /** Whether a later meeting without a class may find a dearer one, since more of the route is known by then. */
  get learns(): boolean {
    return this.#parts.options.classify !== undefined;
  }

  /** The same for what `cost` says of the request, where it says anything. A bad cost is left for the limiter to judge. */
  priced(plan: ClassPlan, request: RequestView<Raw>): MaybePromise<ClassPlan> {
    const { cost } = this.#parts.options;
    if (cost === undefined) return plan;
    return guarded(
      () => cost(request),
      (own) => (own === undefined ? plan : withCost(plan, own)),
      (error) => {
        this.#parts.event("bad-cost", error);
        return withCost(plan, NaN);
      },
      this.#parts.checked.identityTimeoutMs,
    );
  }

  #plan(name: string | undefined): ClassPlan {
    const { classes } = this.#parts.declared;
    const plan = classes.planOf(name);
    if (plan !== undefined) return plan;
    const error = new AforoError(
      "ERR_AFORO_UNKNOWN_CLASS",
      `counted as the dearest: there is no such class, ${got(name)}`,
    );
    this.#parts.event("unknown-class", error, { class: String(name) });
    return classes.dearest;
  }
}

function withCost({ name, entries, uniform }: ClassPlan, cost: number): ClassPlan {
  return { name, cost, entries: entries.map((entry) => ({ ...entry, cost })), uniform };
}
