/** What setTimeout can hold; beyond it fires at once. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * Calls back once `ms` have passed on the monotonic clock, never earlier: a timer that fires a
 * moment early, or that cannot be as long, is set again for the rest.
 *
 * @returns what cancels it.
 */
export function longTimer(ms: number, callback: () => void): () => void {
  const due = performance.now() + ms;
  let timer: NodeJS.Timeout;
  const arm = (): void => {
    const left = due - performance.now();
    if (left <= 0) callback();
    else timer = setTimeout(arm, Math.min(Math.ceil(left), LONGEST_TIMEOUT_MS));
  };
  timer = setTimeout(arm, Math.min(Math.max(0, Math.ceil(ms)), LONGEST_TIMEOUT_MS));
  return () => clearTimeout(timer);
}
