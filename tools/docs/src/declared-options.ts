import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** One option as a source declares it. */
export interface DeclaredOption {
  readonly name: string;
  /** What its docstring says it is when left out, as far as that is one value. */
  readonly defaultValue: string | undefined;
}

/** What holds options, besides the interfaces that are called so. */
const HOLD_OPTIONS: ReadonlySet<string> = new Set(["Policy", "HttpPolicy", "PolicyShorthand", "SampleShares"]);
/** What limiters tell stores. */
const FOR_STORES = "CallOptions";
const VALUE = /@defaultValue\s+(`[^`]+`|[\d,._]*\d|true|false)(?=\s|,|$)/;

/**
 * The interfaces of options that an entry point exports, with their own members: what they inherit belongs to another one.
 * The sources are formatted by a tool, so that their lines tell as much as a parser would.
 */
export function declaredOptions(entry: string): ReadonlyMap<string, readonly DeclaredOption[]> {
  const found = new Map<string, readonly DeclaredOption[]>();
  for (const [, names = "", from = ""] of read(entry).matchAll(/^export (?:type )?\{([^}]*)\} from "(\.[^"]+)";/gm)) {
    for (const name of names.split(",").map((each) => each.trim().replace(/^type /, ""))) {
      const wanted = (name.endsWith("Options") || HOLD_OPTIONS.has(name)) && name !== FOR_STORES;
      const members = wanted ? membersOf(read(join(dirname(entry), from)), name) : undefined;
      if (members !== undefined) found.set(name, members);
    }
  }
  return found;
}

/** `undefined` when the name only stands for another type. */
function membersOf(source: string, name: string): readonly DeclaredOption[] | undefined {
  const body = new RegExp(`^export interface ${name}\\b[^{]*\\{\\n(.*?)^\\}`, "ms").exec(source)?.[1];
  if (body === undefined) return undefined;
  let from = 0;
  return [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??:/gm)].map(({ 0: text, 1: option = "", index }) => {
    const comment = body.slice(from, index);
    from = index + text.length;
    return { name: option, defaultValue: VALUE.exec(comment)?.[1] };
  });
}

function read(file: string): string {
  return readFileSync(file, "utf8");
}
