import type { MaybePromise } from "@aforo/core";

export type { MaybePromise };

export function isPromise<T>(value: MaybePromise<T>): value is Promise<T> {
  return typeof (value as { then?: unknown } | undefined)?.then === "function";
}
