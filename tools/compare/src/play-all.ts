import { play, type Verdict } from "./play.ts";
import type { StoreName, Story } from "./story.ts";
import type { Subject } from "./subject.ts";
import type { Time } from "./time.ts";

/** What one story came to: one row of the table. */
export interface Row {
  readonly story: Story;
  readonly store: StoreName;
  /** One for each subject, in their order. */
  readonly verdicts: readonly Verdict[];
}

export interface PlayOptions {
  /** Stories spend their time waiting, so some are played at once; too many would make the busy ones late. @defaultValue 2 */
  readonly atOnce?: number;
  readonly onRow?: (row: Row) => void;
  /** Makes the time of each play. @defaultValue that of the wall */
  readonly timeOf?: () => Time;
}

/** Plays every story with every store on every subject; rows come in the order of the stories. */
export async function playAll(
  stories: readonly Story[],
  subjects: readonly Subject[],
  { atOnce = 2, onRow, timeOf }: PlayOptions = {},
): Promise<readonly Row[]> {
  const parts = stories.flatMap((story) => story.stores.map((store) => ({ story, store })));
  const rows = new Map<object, Row>();
  const waiting = parts.filter(({ story }) => !story.alone);
  const worker = async (): Promise<void> => {
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
      const { story, store } = part;
      keep(part, await Promise.all(subjects.map((subject) => play(story, subject, store, timeOf))));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  for (const part of parts.filter(({ story }) => story.alone)) {
    const verdicts: Verdict[] = [];
    for (const subject of subjects) verdicts.push(await play(part.story, subject, part.store, timeOf));
    keep(part, verdicts);
  }
  return parts.map((part) => rows.get(part) as Row);

  function keep(part: { readonly story: Story; readonly store: StoreName }, verdicts: readonly Verdict[]): void {
    const row = { ...part, verdicts };
    rows.set(part, row);
    onRow?.(row);
  }
}
