import type { Verdict } from "./records.ts";

/** A shadow policy's verdict beside the live decision. */
export function verdictOf(shadowAllows: boolean, liveAllows: boolean): Verdict {
  if (shadowAllows === liveAllows) return "agree";
  return shadowAllows ? "would-allow" : "would-deny";
}
