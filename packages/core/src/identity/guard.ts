import { AforoError } from "../domain/errors.ts";
import type { MaybePromise } from "../domain/store.ts";

/**
 * Calls a function of the application so that it can neither throw nor reject, nor hang. Plain when its answer is.
 *
 * @param timeoutMs - left out: it may take as long as it likes.
 * @param failed - gives the answer in its place.
 */
export function guarded<T, R>(
  call: () => MaybePromise<T>,
  settled: (value: T) => R,
  failed: (error: unknown) => R,
  timeoutMs?: number,
): MaybePromise<R> {
  let answer: MaybePromise<T>;
  try {
    answer = call();
    if (!isThenable(answer)) return settled(answer);
  } catch (error) {
    return failed(error);
  }
  return (timeoutMs === undefined ? Promise.resolve(answer) : within(answer, timeoutMs)).then(settled).catch(failed);
}

/** Any thenable, since an application may bring its own promises. */
export function isThenable<T>(value: MaybePromise<T>): value is Promise<T> {
  return typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function";
}

/** All values, at once unless one of them is promised. */
export function together<T, R>(values: readonly MaybePromise<T>[], next: (values: readonly T[]) => R): MaybePromise<R> {
  return values.some(isThenable) ? Promise.all(values).then(next) : next(values as readonly T[]);
}

function within<T>(promise: PromiseLike<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new AforoError("ERR_AFORO_INVALID_KEY", `no answer within ${ms} ms`)), ms);
    promise.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: Error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
