/**
 * The names of an interface's, or an object type's, own members as a `.d.ts` declares them.
 *
 * @throws Error when there is no such type: a peer that renamed it needs a look at its guide.
 */
export function optionNames(declarations: string, type: string): readonly string[] {
  const text = declarations.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
  const head = new RegExp(`(?:interface|type) ${type}\\b[^{;]*\\{`).exec(text);
  if (head === null) throw new Error(`there is no type ${type} any more`);
  const names: string[] = [];
  let depth = 1;
  for (const line of text.slice(head.index + head[0].length).split("\n")) {
    const name = depth === 1 ? /^\s*(?:readonly )?(\w+)\??[:(]/.exec(line)?.[1] : undefined;
    if (name !== undefined) names.push(name);
    depth += (line.match(/[{(]/g) ?? []).length - (line.match(/[})]/g) ?? []).length;
    if (depth <= 0) return names;
  }
  throw new Error(`the type ${type} does not end`);
}
