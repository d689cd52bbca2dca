/** Counts the timers that are set from now on and neither fired nor cleared. */
export function watchTimers(): { running(): number; stop(): void } {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const running = new Set<unknown>();
  Object.assign(globalThis, {
    setTimeout: (callback: () => void, ms?: number) => {
      const timer = set(() => {
        running.delete(timer);
        callback();
      }, ms);
      running.add(timer);
      return timer;
    },
    clearTimeout: (timer: NodeJS.Timeout | undefined) => {
      running.delete(timer);
      clear(timer);
    },
  });
  return {
    running: () => running.size,
    stop: () => void Object.assign(globalThis, { setTimeout: set, clearTimeout: clear }),
  };
}
