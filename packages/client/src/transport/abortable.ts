/**
 * Settles as `work` does, or rejects with the signal's reason as soon as it aborts, even when `work` pays no heed to the
 * signal. The listener is gone afterwards; what `work` gives too late goes to `onLate`.
 */
export function abortable<T>(work: Promise<T>, signal: AbortSignal, onLate?: (value: T) => void): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
    work.then(
      (value) => {
        if (signal.aborted) onLate?.(value);
        signal.removeEventListener("abort", stop);
        resolve(value);
      },
      (error: unknown) => {
        signal.removeEventListener("abort", stop);
        reject(error);
      },
    );

    function stop(): void {
      reject(signal.reason);
    }
  });
}
