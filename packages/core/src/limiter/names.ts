import { ConfigError } from "../domain/errors.ts";
import type { Store } from "../domain/store.ts";

/** The limiters on each store. Weak, so that a store that nobody uses any more is forgotten. */
const claims = new WeakMap<object, Map<string, { count: number; readonly shared: boolean }>>();

/**
 * Refuses a second limiter of the same name on one store, whose states would run into each other, unless both say that they share.
 *
 * @returns what gives the name back; idempotent.
 */
export function claimName(store: Store, name: string, shared: boolean): () => void {
  const owner = store.identity ?? store;
  const names = claims.get(owner) ?? new Map<string, { count: number; readonly shared: boolean }>();
  claims.set(owner, names);
  const claim = names.get(name);
  if (claim !== undefined && !(claim.shared && shared)) {
    throw new ConfigError(
      "ERR_AFORO_DUPLICATE_NAME",
      `"name" must be unique per store, got "${name}" twice; give each limiter its own name, or "shared: true" to both when they mean one quota`,
    );
  }
  if (claim === undefined) names.set(name, { count: 1, shared });
  else claim.count++;
  let held = true;
  return () => {
    const current = names.get(name);
    if (!held || current === undefined) return;
    held = false;
    if (--current.count === 0) names.delete(name);
  };
}
