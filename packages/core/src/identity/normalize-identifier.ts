/**
 * One spelling for what people type as a login name or an address: case, width and composition of letters, invisible
 * characters and spaces do not make another account of it. For keys of login and password-reset limits, so that a
 * limit per account cannot be dodged by respelling it. Idempotent.
 *
 * @example key: allOf(..., (request) => normalizeIdentifier(request.raw.body.email))
 */
export function normalizeIdentifier(text: string): string {
  // Upper case first: it writes out what lower case leaves in two forms, such as "ß" and the final sigma.
  const folded = text.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFKC");
  return folded.replace(INVISIBLE, "").trim().replace(SPACES, " ");
}

/** Format characters, such as joiners and direction marks, and variation selectors. */
const INVISIBLE = /[\p{Cf}\u034f\ufe00-\ufe0f]/gu;
const SPACES = /\s+/gu;
