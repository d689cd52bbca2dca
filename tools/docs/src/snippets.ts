import { readFileSync } from "node:fs";
import MarkdownIt from "markdown-it";

/** One fenced block of a Markdown file. */
export interface Snippet {
  /** Such as `ts`, `sh` or `text`; empty when the fence names none. */
  readonly language: string;
  readonly code: string;
  /** Where the block begins, counted from 1. */
  readonly line: number;
  /**
   * Code that the reader need not see but that the block needs to run: the text of an HTML comment
   * `<!-- before ... -->` right above it.
   */
  readonly before: string;
  /** Likewise code that tidies up: the text of `<!-- after ... -->` right below it. */
  readonly after: string;
  /** The name of the file that it stands for: the one that the paragraph above says, as in `policy.json`, and nothing else. */
  readonly file: string | undefined;
}

const FILE_NAME = /^`([\w.-]+)`:$/;
const HIDDEN = { before: /^<!-- before\n([\s\S]*?)\n-->/, after: /^<!-- after\n([\s\S]*?)\n-->/ };

/** Every fenced block of a file, in order. */
export function snippetsOf(file: string): readonly Snippet[] {
  const tokens = new MarkdownIt({ html: true }).parse(readFileSync(file, "utf8"), {});
  return tokens.flatMap((token, index): Snippet[] => {
    if (token.type !== "fence") return [];
    const above = tokens[index - 1];
    const hidden = (where: keyof typeof HIDDEN, at: number): string => {
      const token = tokens[at];
      return token?.type === "html_block" ? (HIDDEN[where].exec(token.content)?.[1] ?? "") : "";
    };
    const paragraph = above?.type === "paragraph_close" ? (tokens[index - 2]?.content ?? "") : "";
    const file = FILE_NAME.exec(paragraph)?.[1];
    return [
      {
        language: token.info.trim(),
        code: token.content,
        line: (token.map?.[0] ?? 0) + 1,
        before: hidden("before", index - 1),
        after: hidden("after", index + 1),
        file,
      },
    ];
  });
}
