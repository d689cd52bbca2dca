import { format } from "prettier";
import type { Row } from "./play-all.ts";
import type { Verdict } from "./play.ts";
import type { StoreName } from "./story.ts";
import type { Subject } from "./subject.ts";
import { versionOf } from "./versions.ts";

const MARKS = { right: "✓", wrong: "✗", lacks: "–" } as const;
const STORES = { memory: "memory", redis: "Redis", both: "both" } as const;

/** The page: who does what, then each story with what happened. */
export function report(rows: readonly Row[], subjects: readonly Subject[]): Promise<string> {
  const text = [
    "# Comparison that runs",
    introduction(rows),
    versions(subjects),
    "## Who does what",
    `✓ right, ✗ not right, – no option for it. All three follow from one rule for each story.`,
    table(
      ["story", "store", ...subjects.map(({ name }) => name)],
      [
        ...rows.map(({ story, store, verdicts }, index) => [
          rows[index - 1]?.story === story ? "" : `[${story.title}](#${anchor(story.title)})`,
          STORES[store],
          ...verdicts.map(({ mark }) => MARKS[mark]),
        ]),
        ["**✓ / ✗ / –**", "", ...subjects.map((_, index) => counts(rows, index))],
      ],
    ),
    "## What happened",
    ...[...new Set(rows.map(({ story }) => story))].map((story) =>
      section(
        rows.filter((row) => row.story === story),
        subjects,
      ),
    ),
  ].join("\n\n");
  return format(text, { parser: "markdown", printWidth: 120 });
}

function introduction(rows: readonly Row[]): string {
  const stories = new Set(rows.map(({ story }) => story)).size;
  return `\`npm run compare\` plays ${stories} short stories on Aforo and on its peers, over real servers and real Redis servers, and prints
this page; \`npm run compare -- --check\` fails when it says anything else. Each limiter is configured as its
own documentation recommends, each story is played alike on all, and rows in which a peer is as good or better stay in. Aforo is played
with its Express adapter; its other adapters share the core. Its \`storeTimeoutMs\` is 2 s where a story leaves Redis alone, so that a busy machine
is no outage.`;
}

function versions(subjects: readonly Subject[]): string {
  const names = subjects.flatMap(({ packages }) => packages).map((name) => `${name} ${versionOf(name)}`);
  return `Versions: ${names.join(", ")}.`;
}

function section(rows: readonly Row[], subjects: readonly Subject[]): string {
  const { story } = (rows as readonly [Row])[0];
  const stores = rows.map(({ store }: { store: StoreName }) => STORES[store]);
  const body = subjects.map(({ name }, index) => [
    name,
    ...rows.map(({ verdicts }) => cell(verdicts[index] as Verdict)),
  ]);
  return `### ${story.title}\n\n${story.why}\n\n${table(["", ...stores], body)}`;
}

function cell({ mark, told }: Verdict): string {
  return `${MARKS[mark]} ${told}`;
}

function counts(rows: readonly Row[], index: number): string {
  const count = (mark: Verdict["mark"]): number => rows.filter(({ verdicts }) => verdicts[index]?.mark === mark).length;
  return `${count("right")} / ${count("wrong")} / ${count("lacks")}`;
}

function table(head: readonly string[], body: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((text) => text.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...body.map(line)].join("\n");
}

/** As Markdown viewers name a heading. */
function anchor(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, "")
    .replaceAll(" ", "-");
}
