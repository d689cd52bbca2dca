const TICK_MS = 20;
/** On a machine that never comes to rest, or where the story itself stands still, its last outcome counts. */
const MOST_ROUNDS = 10;

/**
 * What comes of a story on the real clock that nothing held up: when the machine, or this process on it, stood still
 * for longer than told, the story says nothing, and is told again from its beginning.
 *
 * @param longestMs - as short as what the story's own pauses can bear.
 * @param tell - does not stand still itself; it starts anew whatever it needs.
 */
export async function undisturbed<T>(longestMs: number, tell: () => Promise<T>): Promise<T> {
  for (let rounds = 1; ; rounds++) {
    let [latest, longest] = [performance.now(), 0];
    const look = (): void => {
      const now = performance.now();
      longest = Math.max(longest, now - latest - TICK_MS);
      latest = now;
    };
    const ticks = setInterval(look, TICK_MS);
    const [outcome] = await Promise.allSettled([tell()]);
    clearInterval(ticks);
    look();
    if (longest > longestMs && rounds < MOST_ROUNDS) continue;
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  }
}
