import { isThenable } from "./guard.ts";
import type { KeyContext, KeySource, PreparedKey } from "./key-source.ts";
import { UNKNOWN_ADDRESS } from "./ip.ts";
import { prepareKey } from "./prepare.ts";
import type { RequestView } from "./request-view.ts";
import type { MaybePromise } from "../domain/store.ts";

/** A key that every request has. */
export type SureKey<Raw = unknown> = (request: RequestView<Raw>) => MaybePromise<string>;

/** Counts by address whomever the source does not name: nobody is unlimited for being nobody. */
export function withAddress<Raw>(source: KeySource<Raw>, address: PreparedKey<Raw>, context: KeyContext): SureKey<Raw> {
  const named = prepareKey(source, context);
  const fallback = (request: RequestView<Raw>): string => (address(request) as string | undefined) ?? UNKNOWN_ADDRESS;
  return (request) => {
    const key = named(request);
    if (isThenable(key)) return key.then((found) => found ?? fallback(request));
    return key ?? fallback(request);
  };
}
