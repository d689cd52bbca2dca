import fc from "fast-check";
import { combinedParser } from "../../src/log/combined.ts";
import { readText } from "../support/read.ts";

const LINE =
  '203.0.113.9 - frank [10/Oct/2000:13:55:36 -0700] "GET /a/b?c=d HTTP/1.1" 200 2326 "http://x.test/" "Mozilla/4.08 [en]"';

const read = (text: string, fields?: readonly string[]): ReturnType<typeof readText> =>
  readText(combinedParser(), text, fields);

describe("the combined format", () => {
  test("gives every field of a line", () => {
    const fields = ["ip", "ident", "user", "method", "path", "protocol", "status", "bytes", "referer", "agent"];
    expect(read(LINE, fields).lines).toEqual([
      {
        time: Date.UTC(2000, 9, 10, 20, 55, 36),
        caller: "203.0.113.9",
        ip: "203.0.113.9",
        user: "frank",
        method: "GET",
        path: "/a/b?c=d",
        protocol: "HTTP/1.1",
        status: "200",
        bytes: "2326",
        referer: "http://x.test/",
        agent: "Mozilla/4.08 [en]",
      },
    ]);
  });

  test("may end after the bytes, as the common format does, and go on behind the agent", () => {
    const common = LINE.slice(0, LINE.indexOf(' "http'));
    const { lines, faults } = read(`${common}\n${LINE} 0.004 "198.51.100.1"\n${common.replace("2326", "-")}`);
    expect(faults).toEqual([]);
    expect(lines.map(({ agent }) => agent)).toEqual([undefined, "Mozilla/4.08 [en]", undefined]);
  });

  test("keeps fractions of a second, and reads ISO 8601 in the brackets", () => {
    const stamps = ["10/Oct/2000:20:55:36.789 +0000", "10/Oct/2000:20:55:36.7 +0000", "2000-10-10T20:55:36.789Z"];
    const text = stamps.map((stamp) => LINE.replace("10/Oct/2000:13:55:36 -0700", stamp)).join("\n");
    expect(read(text).lines.map(({ time }) => Number(time) % 1_000)).toEqual([789, 700, 789]);
  });

  test("reads users with spaces, IPv6, names instead of addresses, and no address at all", () => {
    const callers = ["2001:DB8::1", "crawler.example.com", "-", "1.2.3.400", "01.2.3.4"];
    const text = callers.map((caller) => LINE.replace("203.0.113.9 - frank", `${caller} - Jo Q. Public`)).join("\n");
    const { lines } = read(text);
    expect(lines.map(({ caller }) => caller)).toEqual([
      "2001:db8::1",
      "crawler.example.com",
      "unknown",
      "1.2.3.400",
      "01.2.3.4",
    ]);
    expect(lines.map(({ user }) => user)).toEqual(Array.from({ length: 5 }, () => "Jo Q. Public"));
  });

  test("reads escaped quotes, and what is no HTTP request", () => {
    const requests = ['GET /\\"quoted\\" HTTP/1.1', "\\x16\\x03\\x01", "-", "", "get / HTTP/1.1"];
    const text = requests.map((request) => LINE.replace("GET /a/b?c=d HTTP/1.1", request)).join("\n");
    const { lines, faults } = read(text);
    expect(faults).toEqual([]);
    expect(lines.map(({ path }) => path)).toEqual(['/\\"quoted\\"', undefined, undefined, undefined, undefined]);
    expect(lines.map(({ status }) => status)).toEqual(["200", "200", "200", "200", "200"]);
  });

  test.each([
    ["garbage", "expected: address ident user [time]"],
    [" - - [10/Oct/2000:13:55:36 -0700]", "expected: address ident user [time]"],
    [LINE.replace("-0700]", "-0700"), "the time is not like 10/Oct/2000:13:55:36 -0700"],
    [LINE.replace("-0700]", "-0700").replace("]", ""), "the time has no closing bracket"],
    [LINE.replace("10/Oct", "10/Okt"), "the time is not like 10/Oct/2000:13:55:36 -0700"],
    [LINE.replace("13:55", "25:55"), "the time is not like 10/Oct/2000:13:55:36 -0700"],
    [LINE.replace("-0700", "-07"), "the time is not like 10/Oct/2000:13:55:36 -0700"],
    [LINE.replace('"GET', "GET"), "expected a quoted request after the time"],
    [LINE.slice(0, LINE.indexOf(" HTTP")), "the quoted request has no end"],
    [LINE.replace(" 200 ", " 2OO "), "expected a status of three digits after the request"],
    [LINE.slice(0, LINE.indexOf(" 200")), "expected a status of three digits after the request"],
  ])("says what is wrong with %s", (text, fault) => {
    const { lines, faults, count } = read(`${LINE}\n${text}\n${LINE}`);
    expect(faults).toEqual([{ index: 1, text, fault }]);
    expect([lines.length, count]).toEqual([2, 3]);
  });

  test("counts empty lines without a word, and takes \\r\\n for an end of line", () => {
    const { lines, faults, count } = read(`${LINE}\r\n\r\n\n${LINE}\r\n`);
    expect([lines.length, faults.length, count]).toEqual([2, 0, 4]);
    expect(lines[0]).toEqual(lines[1]);
  });

  test("property: a line that was written is read as it was written", () => {
    const word = fc.stringMatching(/^[a-zA-Z0-9/._~%-]{1,30}$/);
    const quoted = fc.stringMatching(/^[ !#-[\]-~é漢]{0,40}$/);
    fc.assert(
      fc.property(
        fc.ipV4(),
        fc.integer({ min: 0, max: 2 ** 42 }),
        word,
        quoted,
        quoted,
        (ip, ms, path, referer, agent) => {
          const time = ms - (ms % 1_000);
          const line = `${ip} - - [${common(time)}] "GET /${path} HTTP/2.0" 404 0 "${referer}" "${agent}"`;
          const [found] = read(line, ["path", "status", "referer", "agent"]).lines;
          const text = (value: string): object => (value === "" || value === "-" ? {} : { value });
          expect(found).toMatchObject({ time, path: `/${path}`, status: "404" });
          expect(text(agent)).toEqual(found?.["agent"] === undefined ? {} : { value: found["agent"] });
          expect(text(referer)).toEqual(found?.["referer"] === undefined ? {} : { value: found["referer"] });
        },
      ),
    );
  });

  test("property: whatever bytes come, each line is counted once, as a request or as a fault", () => {
    const piece = fc.oneof(fc.constant(LINE), fc.string({ unit: "binary" }), fc.string(), cutOf(LINE));
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), (pieces) => {
        const lines = pieces.join("\n").split("\n");
        const { lines: found, faults, count } = read(lines.join("\n"));
        expect(count).toBe(lines.at(-1) === "" ? lines.length - 1 || 1 : lines.length);
        expect(found.length + faults.length).toBe(lines.filter((line) => line !== "" && line !== "\r").length);
      }),
    );
  });
});

/** Some line with a stretch missing. */
function cutOf(line: string): fc.Arbitrary<string> {
  return fc.tuple(fc.nat(line.length), fc.nat(20)).map(([at, length]) => line.slice(0, at) + line.slice(at + length));
}

function common(time: number): string {
  const [, day, month, year, clock] = /^\w+, (\d+) (\w+) (\d+) ([\d:]+)/.exec(new Date(time).toUTCString()) as string[];
  return `${day}/${month}/${year}:${clock} +0000`;
}
