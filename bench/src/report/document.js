import { readFileSync, writeFileSync } from "node:fs";

const file = new URL("../../../docs/performance.md", import.meta.url);

/**
 * Puts what was measured into the page, in place of what stood there: each block between `<!-- bench NAME -->` and
 * `<!-- end -->`. A block that the page does not have is left out.
 * @param {ReadonlyMap<string, string>} blocks texts by name
 */
export function writeDocument(blocks) {
  let page = readFileSync(file, "utf8");
  for (const [name, text] of blocks) {
    const [begin, end] = [`<!-- bench ${name} -->`, "<!-- end -->"];
    const from = page.indexOf(begin);
    if (from < 0) continue;
    const to = page.indexOf(end, from);
    page = `${page.slice(0, from)}${begin}\n\n\`\`\`text\n${text}\n\`\`\`\n\n${page.slice(to)}`;
  }
  writeFileSync(file, page);
}
