/**
 * Whether each line of a documented output was printed, in order. Digits stand for any digits, since times and ports
 * differ; a line of `…` or `...` stands for any lines.
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
  return line.trim().replaceAll(/\d+/g, "0");
}
