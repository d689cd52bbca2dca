import { KeySpecs, limiterSpelling } from "../../src/callers/key-specs.ts";
import { displayKey } from "../../src/callers/key-spec.ts";
import { USUAL_FIELDS } from "../../src/log/fields.ts";
import { jsonLinesParser } from "../../src/log/json-lines.ts";

const ROWS = [
  { ip: "203.0.113.9", user: "ann", tenant: "acme", path: "/a?b" },
  { ip: "203.0.113.9", tenant: "acme", path: "/a" },
  { ip: "[2001:db8:1:2:3::4]:443", user: "203.0.113.9" },
  { ip: "::ffff:203.0.113.9", headers: { "x-key": "s3" } },
  { ip: "2001:db8:1:ff::1" },
  {},
];

function callersBy(text: string): string[] {
  const keys = new KeySpecs(limiterSpelling());
  const spec = keys.specs[keys.indexOf(text)];
  const found: string[] = [];
  const lines = ROWS.map((row) => JSON.stringify({ time: 1_796_000_000_000, ...row })).join("\n");
  jsonLinesParser(USUAL_FIELDS).readBlock(
    Buffer.from(`${lines}\n`),
    (line) => found.push(displayKey(spec?.callers.key(spec.callerOf(line)) ?? "")),
    (_, __, fault) => found.push(fault),
  );
  return found;
}

describe("a key specification", () => {
  const [ann, v6, other] = ["203.0.113.9", "2001:0db8:0001:0002::/64", "2001:0db8:0001:00ff::/64"];

  test("ip counts as the limiter does: ports and brackets go, IPv6 by its /64, mapped IPv4 is IPv4", () => {
    expect(callersBy("ip")).toEqual([ann, ann, v6, ann, other, "unknown"]);
  });

  test("ip/56 groups IPv6 by that prefix", () => {
    expect(callersBy("ip/56")[2]).toBe(callersBy("ip/56")[4]);
    expect(callersBy("ip/128")[2]).not.toBe(v6);
  });

  test("user falls to the address, and no user is an address", () => {
    expect(callersBy("user")).toEqual(["user: ann", ann, "user: 203.0.113.9", ann, other, "unknown"]);
    expect(callersBy("user,ip")).toEqual(callersBy("user"));
  });

  test("field: and header: find whatever the log has, + joins, and all is everyone", () => {
    expect(callersBy("field:tenant").slice(0, 3)).toEqual(["field:tenant: acme", "field:tenant: acme", v6]);
    expect(callersBy("header:X-Key")[3]).toBe("header:X-Key: s3");
    expect(callersBy("path+ip").slice(0, 3)).toEqual([`path+ip: /a + ${ann}`, `path+ip: /a + ${ann}`, v6]);
    expect(new Set(callersBy("all")).size).toBe(1);
  });

  test.each(["", "Ip", "field:", "ip/0", "ip/129", "user,,ip", "header"])(
    "%p is none, and the error says what is",
    (text) => {
      expect(() => callersBy(text)).toThrow(/must be ip, ip\/PREFIX, user/);
    },
  );
});
