import type { CheckedPolicy, StoreErrorPolicy } from "../domain/policy.ts";
import type { Store } from "../domain/store.ts";
import type { EventListener } from "../observe/events.ts";
import type { Observer } from "../observe/observer.ts";
import type { Planner } from "./planner.ts";
import type { StoreAccess } from "./store-access.ts";

/** What a limiter is built of; all of it checked by `createLimiter`. */
export interface EngineParts<C> {
  readonly name: string;
  readonly policies: readonly CheckedPolicy<C>[];
  readonly store: Store;
  readonly access: StoreAccess;
  readonly planner: Planner<C>;
  readonly modeOf: (policy: string) => StoreErrorPolicy;
  readonly emit: EventListener;
  readonly observer: Observer<C>;
  readonly release: () => void;
  readonly ownsStore: boolean;
}
