/**
 * A table in plain text, or in Markdown where its reader wants that.
 * @param {readonly string[]} head
 * @param {readonly (readonly (string | number)[])[]} rows numbers are rounded to what can be read, and stand to the right
 */
export function table(head, rows) {
  const texts = rows.map((row) => row.map((cell) => (typeof cell === "number" ? readable(cell) : cell)));
  const widths = head.map((title, column) => Math.max(title.length, ...texts.map((row) => row[column]?.length ?? 0)));
  const right = head.map((_, column) => rows.every((row) => typeof row[column] === "number"));
  const line = (/** @type {readonly string[]} */ cells) =>
    cells
      .map((cell, column) => (right[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join("  ")
      .trimEnd();
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...texts.map(line)].join("\n");
}

/**
 * Three significant digits, and no more than two behind the point.
 * @param {number} value
 */
export function readable(value) {
  if (!Number.isFinite(value)) return "-";
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
