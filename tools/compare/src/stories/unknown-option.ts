import { story, type Stage } from "../story.ts";
import { perHour } from "../talk.ts";

export const unknownOption = story({
  id: "unknown-option",
  title: "A misspelled option is reported",
  why: "Else the default holds in silence, and nobody notices that the limit is another one.",
  stores: ["memory"],
  alone: true,
  async play(stage: Stage) {
    let said = 0;
    const { warn, error } = console;
    console.warn = console.error = () => void said++;
    try {
      await stage.serve({ limits: [perHour(3)], misspelled: true });
      return said > 0 ? "logs it" : "says nothing";
    } catch {
      return "throws at start";
    } finally {
      Object.assign(console, { warn, error });
    }
  },
  isRight: (seen) => seen !== "says nothing",
  tell: (seen) => seen,
});
