import pc from "picocolors";
import type { CheckedProposal, ClassSuggestion, Suggestion } from "../suggest/suggest.ts";
import { sourceLines } from "./source-lines.ts";
import { count, counted, share, windowName } from "./words.ts";

/** The proposals, and why they are what they are. */
export function suggestText(suggestion: Suggestion, colors: boolean): string {
  const paint = pc.createColors(colors);
  const { source, classes, window } = suggestion;
  const parts = [sourceLines(source, paint)];
  for (const each of classes) {
    const lines = [
      paint.bold(classes.length === 1 ? "Suggestions" : `Class ${each.name}: ${counted(each.requests, "request")}`),
      demandLines(each, suggestion),
    ];
    for (const proposal of each.proposals) lines.push(proposalLines(proposal, each, paint));
    parts.push(lines.join("\n"));
  }
  const best = classes[0]?.proposals[0];
  if (best !== undefined) {
    const files = source.names.map((name) => (/^[\w./-]+$/.test(name) ? name : `'${name}'`)).join(" ");
    parts.push(
      `See what they would have done: aforo replay ${files} --key ${source.key} --limit ${best.limit}/${windowName(window).replace(" ", "")} --html report.html`,
    );
  }
  return `${parts.join("\n\n")}\n`;
}

function demandLines({ callers, leftOut, mayReject, spread }: ClassSuggestion, suggestion: Suggestion): string {
  const window = windowName(suggestion.window);
  const lines = [
    `  In one ${window} a caller asked for at most ${count(spread.median)} (half of them), ${count(spread.p99)} (99 %), ${count(spread.p999)} (99.9 %), ${count(spread.max)} (all).`,
    `  Of ${counted(callers, "legitimate caller")} at most ${share(suggestion.share, 1)} may ever be rejected: ${mayReject === 0 ? "none, so the busiest decides" : `the ${count(mayReject)} busiest`}.`,
  ];
  if (leftOut > 0)
    lines.push(
      `  Left out: ${counted(leftOut, "caller")} with at least 20 requests of which more than half failed (4xx other than 429).`,
    );
  return lines.join("\n");
}

function proposalLines(
  proposal: CheckedProposal,
  { callers }: ClassSuggestion,
  paint: ReturnType<typeof pc.createColors>,
): string {
  const { algorithm, limit, window, burst, needed, tenWindows, check } = proposal;
  const rate = `${limit}/${windowName(window)}`;
  const lines = [`  ${paint.green(`${algorithm} ${rate}${burst === undefined ? "" : ` burst ${burst}`}`)}`];
  const what = burst === undefined ? "a limit" : `with ${rate} a burst`;
  lines.push(
    `    The others never need ${what} above ${count(needed)}${(burst ?? limit) > needed ? `, rounded up to ${count(burst ?? limit)}` : ""}.`,
  );
  if (burst !== undefined)
    lines.push(
      `    Of all such pairs whose bucket fills within ten windows, this one lets a single caller have least.`,
    );
  lines.push(`    One caller gets at most ${count(tenWindows)} in ten windows.`);
  if (check !== null) {
    lines.push(
      `    Replayed: ${counted(check.callersRejected, "legitimate caller")} (${share(check.callersRejected, callers)}) rejected some time, ${counted(check.rejected, "request")} of theirs` +
        `${check.leftOutRequests === 0 ? "" : `; of those left out, ${share(check.leftOutRejected, check.leftOutRequests)} of the requests`}.`,
    );
  }
  return lines.join("\n");
}
