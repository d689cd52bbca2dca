/**
 * One spelling for what people type as a login name or an address: case, width and composition of letters, invisible
 * characters and spaces do not make another account of it. For keys of login and password-reset limits, so that a
 * limit per account cannot be dodged by respelling it. Idempotent.
 *
 * @example key: allOf(..., (request) => normalizeIdentifier(request.raw.body.email))
 */
export function normalizeIdentifier(text: string): string {
  // To upper case and back, which writes out what lower case leaves in two forms, such as "ß" and the final sigma; from
  // lower case, since a capital "ẞ" stays one.
  const folded = strip(text).normalize("NFKC").toLowerCase().toUpperCase().toLowerCase().normalize("NFKC");
  return strip(folded).trim().replace(SPACES, " ");
}

function strip(text: string): string {
  return text.replace(INVISIBLE, "");
}

/** Format characters, such as joiners and direction marks, and variation selectors. */
const INVISIBLE = /[\p{Cf}\u034f\ufe00-\ufe0f]/gu;
const SPACES = /\s+/gu;
