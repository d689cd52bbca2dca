import { readFileSync } from "node:fs";
import MarkdownIt from "markdown-it";

const markdown = new MarkdownIt({ html: true });

/** Where the links and images of a page lead. */
export function linksOf(file: string): readonly string[] {
  return markdown.parse(readFileSync(file, "utf8"), {}).flatMap(({ children }) =>
    (children ?? []).flatMap((token) => {
      const target = token.attrGet("href") ?? token.attrGet("src");
      return target === null ? [] : [String(target)];
    }),
  );
}

/** What can stand behind `#` in a link to the page: its headings, as GitHub spells them, and anchors of its own. */
export function anchorsOf(file: string): ReadonlySet<string> {
  const text = readFileSync(file, "utf8");
  const anchors = new Set([...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id as string));
  const tokens = markdown.parse(text, {});
  for (const [index, { type }] of tokens.entries()) {
    if (type !== "heading_open") continue;
    const words = (tokens[index + 1]?.children ?? []).map(({ content }) => content).join("");
    const slug = words
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-");
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}
