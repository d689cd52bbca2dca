import fc from "fast-check";
import Papa from "papaparse";
import { csvParser, type CsvOptions } from "../../src/log/csv.ts";
import { PRESETS, USUAL_FIELDS } from "../../src/log/fields.ts";
import { readText, type Found } from "../support/read.ts";

const TIME = Date.UTC(2026, 10, 24, 12);

const read = (text: string, options: Partial<CsvOptions> = {}): Found =>
  readText(csvParser({ fields: USUAL_FIELDS, delimiter: ",", columns: undefined, ...options }), text);

describe("CSV", () => {
  test("takes its columns from the first line, and quotes as RFC 4180 has them", () => {
    const { lines, faults } = read(`time,ip,path,"agent"\n${TIME},1.2.3.4,"/a,b?""c""",x\r\n`);
    expect(faults).toEqual([]);
    expect(lines).toEqual([{ time: TIME, caller: "1.2.3.4", ip: "1.2.3.4", path: '/a,b?"c"', agent: "x" }]);
  });

  test("takes columns and delimiter as they are given", () => {
    const { lines } = read(`${TIME}\t1.2.3.4\n`, { delimiter: "\t", columns: ["ts", "client"] });
    expect(lines).toEqual([{ time: TIME, caller: "1.2.3.4", ip: "1.2.3.4" }]);
  });

  test("reads what an Application Load Balancer writes", () => {
    const line =
      'h2 2026-11-24T12:00:00.100000Z app/my/50dc 203.0.113.9:2817 10.0.0.1:80 0.000 0.001 0.000 200 200 34 366 "GET https://x.test:443/a?b=c HTTP/2.0" "curl/7.46.0" - - arn "Root=1" "x.test" "arn" 0 2026-11-24T12:00:00.000000Z "forward" "-" "-"';
    const { delimiter = ",", columns, fields } = PRESETS["alb"] as NonNullable<(typeof PRESETS)[string]>;
    const { lines, faults } = read(line, { delimiter, columns, fields });
    expect(faults).toEqual([]);
    expect(lines).toEqual([
      {
        time: TIME,
        caller: "203.0.113.9:2817",
        ip: "203.0.113.9:2817",
        method: "GET",
        path: "/a?b=c",
        status: "200",
        agent: "curl/7.46.0",
      },
    ]);
  });

  test("a quote that is never closed spoils its own line only", () => {
    const { lines, faults, count } = read(
      `time,ip\n${TIME},1.1.1.1\n"${TIME},2.2.2.2\n${TIME},3.3.3.3\n${TIME},"4.4"4.4\n${TIME},5.5.5.5`,
    );
    expect(lines.map(({ ip }) => ip)).toEqual(["1.1.1.1", "3.3.3.3", "5.5.5.5"]);
    expect(faults.map(({ index, fault }) => [index, fault.slice(0, 23)])).toEqual([
      [2, "a quote is out of place"],
      [4, "a quote is out of place"],
    ]);
    expect(count).toBe(6);
  });

  test("says which lines are too short or have no time", () => {
    const { faults } = read(`time,ip,path\n${TIME}\nsoon,1.1.1.1,/\n`);
    expect(faults.map(({ fault }) => fault)).toEqual([
      "expected 3 columns, got 1",
      'the time "soon" is neither a number of seconds, ms, us or ns since 1970 nor ISO 8601',
    ]);
  });

  test("property: what the library writes is read as it was", () => {
    const cell = fc.string().map((text) => text.replace(/[\r\n]/g, " "));
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1 }), (cells) => {
        const rows = cells.map(([user, path]) => [String(TIME), user, path]);
        const { lines, faults } = read(`time,user,agent\n${Papa.unparse(rows, { newline: "\n" })}\n`);
        expect(faults).toEqual([]);
        const told = (text: string): string | undefined => (text === "" || text === "-" ? undefined : text);
        expect(lines.map(({ user, agent }) => [user, agent])).toEqual(
          cells.map(([user, agent]) => [told(user), told(agent)]),
        );
      }),
    );
  });
});
