import fc from "fast-check";
import { PRESETS, USUAL_FIELDS } from "../../src/log/fields.ts";
import { jsonLinesParser } from "../../src/log/json-lines.ts";
import { readText, type Found } from "../support/read.ts";

const TIME = Date.UTC(2026, 10, 24, 12);

const read = (rows: readonly (object | string)[], preset?: string): Found =>
  readText(
    jsonLinesParser(preset === undefined ? USUAL_FIELDS : (PRESETS[preset]?.fields ?? USUAL_FIELDS)),
    rows.map((row) => (typeof row === "string" ? row : JSON.stringify(row))).join("\n"),
  );

const EXPECTED = { time: TIME, caller: "203.0.113.9", ip: "203.0.113.9", method: "GET", path: "/a?b=c", status: "200" };

describe("JSON lines", () => {
  test.each([
    [
      "pino",
      {
        level: 30,
        time: TIME,
        req: { method: "GET", url: "/a?b=c", remoteAddress: "203.0.113.9" },
        res: { statusCode: 200 },
      },
    ],
    [
      "caddy",
      {
        ts: TIME / 1_000,
        request: { remote_ip: "203.0.113.9", method: "GET", uri: "/a?b=c" },
        user_id: "",
        status: 200,
      },
    ],
    [
      "traefik",
      {
        StartUTC: new Date(TIME).toISOString(),
        ClientHost: "203.0.113.9",
        RequestMethod: "GET",
        RequestPath: "/a?b=c",
        DownstreamStatus: 200,
      },
    ],
    [
      "gcp",
      {
        timestamp: new Date(TIME).toISOString(),
        httpRequest: { remoteIp: "203.0.113.9", requestMethod: "GET", requestUrl: "https://x.test/a?b=c", status: 200 },
      },
    ],
  ])("of %s have a preset, and are understood without it", (preset, row) => {
    expect(read([row], preset).lines).toEqual([EXPECTED]);
    expect(read([row]).lines).toEqual([EXPECTED]);
  });

  test("are looked into by paths, and by names that hold dots", () => {
    const parser = jsonLinesParser(USUAL_FIELDS);
    const row = { time: TIME, a: { b: { c: 7 } }, "x.y": "z", req: { headers: { "x-api-key": "k" } } };
    const [line] = readText(parser, JSON.stringify(row), [
      "a.b.c",
      "x.y",
      "req.headers.x-api-key",
      "a.b",
      "a.constructor",
      "nothing",
    ]).lines;
    expect(line).toMatchObject({ "a.b.c": "7", "x.y": "z", "req.headers.x-api-key": "k" });
    expect(Object.keys(line ?? {})).toHaveLength(5);
  });

  test("that are none, or have no time, are faults with a reason", () => {
    const { lines, faults, count } = read([
      "{",
      "[]",
      "3",
      '"x"',
      "null",
      { ip: "1.2.3.4" },
      { time: "yesterday" },
      "",
      { time: TIME },
    ]);
    expect(faults.map(({ index, fault }) => [index, fault.slice(0, 24)])).toEqual([
      ...[0, 1, 2, 3, 4].map((index) => [index, "no JSON object"]),
      [5, 'expected a time in "time'],
      [6, 'the time "yesterday" is '],
    ]);
    expect([lines.length, count]).toEqual([1, 9]);
  });

  test("property: any JSON is read or refused, line by line, and never ends the reading", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.json(), fc.string()), { minLength: 1, maxLength: 10 }), (texts) => {
        const rows = texts.map((text) => text.replaceAll("\n", " "));
        const { lines, faults, count } = read([...rows, { time: TIME }]);
        expect(count).toBe(rows.length + 1);
        expect(lines.length + faults.length).toBe(rows.filter((row) => row !== "" && row !== "\r").length + 1);
      }),
    );
  });
});
