/**
 * Whether a client asks for plain text rather than JSON (RFC 9110, 12.5.1). Anybody who does not say so gets JSON;
 * of two ranges that are equally welcome the more specific one decides.
 */
export function prefersText(accept: string | undefined): boolean {
  const wanted = accept?.toLowerCase();
  if (wanted === undefined || !wanted.includes("text/")) return false;
  const ranges = wanted.split(",").map(rangeOf);
  const text = best(ranges, ["text/plain", "text/*", "*/*"]);
  const json = Math.max(
    best(ranges, ["application/problem+json", "application/*", "*/*"]),
    best(ranges, ["application/json"]),
  );
  return text > json;
}

interface Range {
  readonly type: string;
  readonly quality: number;
}

function rangeOf(text: string): Range {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim());
  const weight = parameters.find((parameter) => parameter.startsWith("q="));
  const quality = weight === undefined ? 1 : Number(weight.slice(2));
  return { type, quality: quality >= 0 && quality <= 1 ? quality : 1 };
}

/** The quality that the most specific range grants; the less specific, the less by a hair. -1 when there is none. */
function best(ranges: readonly Range[], types: readonly string[]): number {
  for (const [rank, type] of types.entries()) {
    const range = ranges.find((each) => each.type === type);
    if (range !== undefined) return range.quality === 0 ? -1 : range.quality - rank / 10_000;
  }
  return -1;
}
