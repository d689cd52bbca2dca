/** What stands before a word of so many bytes, for most words. */
const HEADS: readonly string[] = Array.from({ length: 256 }, (_, length) => `\r\n$${length}\r\n`);

/**
 * A command as the protocol of Redis has it (RESP: an array of bulk strings). Only where all words are ASCII, as nearly
 * all are, since then nobody has to measure each of them, which takes a client longer than all the rest.
 */
export function bytesOf(name: string, words: readonly string[]): Buffer | undefined {
  let text = `*${words.length + 1}\r\n$${name.length}\r\n${name}`;
  for (const word of words) text += (HEADS[word.length] ?? `\r\n$${word.length}\r\n`) + word;
  text += "\r\n";
  return Buffer.byteLength(text) === text.length ? Buffer.from(text, "latin1") : undefined;
}
