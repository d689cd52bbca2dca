/**
 * The first line of a documented output that was not printed, in order. Numbers of four digits and more, clock times, dates and the
 * seconds of `Retry-After` stand for any, since moments and ports differ; a line of `…` or `...` stands for any lines.
 */
export function missingLine(documented: string, printed: string): string | undefined {
  const lines = printed.split("\n").map(normal);
  let from = 0;
  for (const line of documented.split("\n").map(normal)) {
    if (line === "" || line === "…" || line === "...") continue;
    const at = lines.findIndex((each, index) => index >= from && each.toLowerCase() === line.toLowerCase());
    if (at === -1) return line;
    from = at + 1;
  }
  return undefined;
}

function normal(line: string): string {
  return line
    .trim()
    .replaceAll(/\d{4,}|\d+(?::\d\d)+(?:\.\d+)?|(?<=\d-)\d\d(?!\d)/g, "0")
    .replace(/^(retry-after): \d+$/i, "$1: 0");
}
