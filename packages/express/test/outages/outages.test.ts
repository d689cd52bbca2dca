import { drill, type Row } from "./drill.ts";
import { FAULTS } from "./faults.ts";

const rows: Row[] = [];

afterAll(() => {
  process.stdout.write(`${table(rows)}\n`);
});

describe.each(FAULTS.map((fault) => [fault.name, fault] as const))("A28, A29, A30, A32: %s", (_, fault) => {
  let drilled: readonly Row[];
  beforeAll(async () => {
    drilled = await drill(fault);
    rows.push(...drilled);
  }, 90_000);

  test.each([["local"], ["allow"], ["deny"]] as const)(
    "under %p nothing hangs, escapes or is admitted wrongly, and Redis decides again",
    (policy) => {
      const row = drilled.find((each) => each.policy === policy);
      expect(row).toMatchObject({ wrong: 0, hung: 0, status500: 0, unhandled: 0 });
      expect(row?.recoveredMs).toBeLessThan(Infinity);
      const { store = 0, "deny-cache": remembered = 0, ...standIns } = row?.decidedBy ?? {};
      expect(store + remembered).toBeGreaterThan(0);
      const standIn = { local: "local", allow: "fail-open", deny: "fail-closed" }[policy];
      expect(Object.keys(standIns)).toEqual(fault.harmless === true ? [] : [standIn]);
    },
  );
});

function table(all: readonly Row[]): string {
  const head = [
    "fault",
    "policy",
    "requests",
    "decided by",
    "slowest",
    "wrong",
    "hung",
    "500s",
    "unhandled",
    "Redis decides again",
  ];
  const body = all.map((row) => [
    row.fault,
    row.policy,
    `${row.requests}`,
    Object.entries(row.decidedBy)
      .map(([source, count]) => `${source} ${count}`)
      .join(", "),
    `${row.slowestMs} ms`,
    `${row.wrong}`,
    `${row.hung}`,
    `${row.status500}`,
    `${row.unhandled}`,
    `${row.recoveredMs} ms`,
  ]);
  const widths = head.map((title, column) =>
    Math.max(title.length, ...body.map((cells) => cells[column]?.length ?? 0)),
  );
  return [head, ...body]
    .map((cells) =>
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
