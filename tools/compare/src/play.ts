import { RealStage } from "./real-stage.ts";
import { NotOffered, type StoreName, type Story } from "./story.ts";
import type { Subject } from "./subject.ts";
import { TooBusy, WALL_TIME, type Time } from "./time.ts";

/** What a story came to on one subject. */
export interface Verdict {
  readonly mark: "right" | "wrong" | "lacks";
  readonly told: string;
}

/** A play that was too late is played again. */
const ATTEMPTS = 15;

/**
 * Plays a story on a subject and judges what was seen, by the story's one rule.
 *
 * @param timeOf - makes the time for one attempt.
 */
export async function play(
  story: Story,
  subject: Subject,
  store: StoreName,
  timeOf: () => Time = () => WALL_TIME,
): Promise<Verdict> {
  for (let attempt = 1; ; attempt++) {
    // Not all of those that were late at the same moment should be back at the same moment.
    await WALL_TIME.sleep(Math.random() * (attempt - 1) * 500);
    const stage = new RealStage(subject, store, timeOf());
    try {
      const seen = await story.play(stage);
      return { mark: story.isRight(seen) ? "right" : "wrong", told: story.tell(seen) };
    } catch (error) {
      if (error instanceof NotOffered) return { mark: "lacks", told: error.message };
      if (error instanceof TooBusy && attempt < ATTEMPTS) continue;
      throw new Error(`${story.id} on ${subject.name} (${store}): ${String(error)}`, { cause: error });
    } finally {
      await stage.close();
    }
  }
}
