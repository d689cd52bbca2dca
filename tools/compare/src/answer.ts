/**
 * What every subject's application answers: `/` with 200, `/status/500` with that status, `/status/500/after/300` that
 * many ms later.
 */
export async function answerTo(url: string): Promise<number> {
  const [, status = "200", afterMs = "0"] = /^\/status\/(\d+)(?:\/after\/(\d+))?/.exec(url) ?? [];
  if (afterMs !== "0") await new Promise((resolve) => setTimeout(resolve, Number(afterMs)));
  return Number(status);
}

/** What applications mark their responses with when a story wants them cacheable. */
export const CACHEABLE = "public, max-age=300";
