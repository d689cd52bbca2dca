import { parseRateLimit, parseRateLimitPolicy, readQuotas, type Quota } from "../src/index.ts";
import { EPOCH } from "./support/virtual-time.ts";

const quota = (fields: Partial<Quota>): Quota => ({
  policy: "",
  partition: undefined,
  remaining: 0,
  resetMs: undefined,
  limit: undefined,
  windowMs: undefined,
  ...fields,
});
const policy = { policy: "", partition: undefined, limit: 0, windowMs: undefined, unit: "requests" };

describe("RateLimit", () => {
  test("draft-8 to draft-11: a list, one item per policy", () => {
    expect(parseRateLimit('"acct";r=7;t=19;pk=:YWNjdDox:, "ip";r=410')).toEqual([
      quota({ policy: "acct", partition: "YWNjdDox", remaining: 7, resetMs: 19_000 }),
      quota({ policy: "ip", remaining: 410 }),
    ]);
  });

  test("the renaming proposed after them", () => {
    expect(parseRateLimit("acct;a=7;w=19")).toEqual([quota({ policy: "acct", remaining: 7, resetMs: 19_000 })]);
  });

  test("draft-7: a dictionary", () => {
    expect(parseRateLimit("limit=120, remaining=7, reset=19")).toEqual([
      quota({ limit: 120, remaining: 7, resetMs: 19_000 }),
    ]);
  });

  test("a name may hold any printable character", () => {
    expect(parseRateLimit(String.raw`"a \"b\\, c;d";r=1`)).toEqual([
      quota({ policy: String.raw`a "b\, c;d`, remaining: 1 }),
    ]);
  });

  test("an item without a valid r is left out, the others count", () => {
    const field = '"a";t=1, "b";r=-1, "c";r=1.5, "d";r="2", 5;r=1, "e";r=3;vendor;x=?0;y=@12;z=tok/en';
    expect(parseRateLimit(field)).toEqual([quota({ policy: "e", remaining: 3 })]);
  });

  test.each([
    null,
    undefined,
    "",
    "  ",
    '"a;r=1',
    '"a";r=1,',
    ',"a";r=1',
    '"a";r=1 "b";r=2',
    '"a";R=1',
    '"a";r=',
    '("a" "b");r=1',
    '"ä";r=1',
    "limit=1",
    "remaining=x",
    "remaining=1.5",
    "remaining=5,reset=-1",
    '"a";r=1234567890123456',
  ])("%j says nothing", (field) => {
    expect(parseRateLimit(field)).toEqual([]);
  });
});

describe("RateLimit-Policy", () => {
  test("draft-8 to draft-11", () => {
    expect(parseRateLimitPolicy('"acct";q=120;w=60, "mb";q=5;qu="content-bytes"')).toEqual([
      { ...policy, policy: "acct", limit: 120, windowMs: 60_000 },
      { ...policy, policy: "mb", limit: 5, unit: "content-bytes" },
    ]);
  });

  test("draft-4 to draft-7", () => {
    expect(parseRateLimitPolicy("120;w=60, 600;w=3600")).toEqual([
      { ...policy, limit: 120, windowMs: 60_000 },
      { ...policy, limit: 600, windowMs: 3_600_000 },
    ]);
  });

  test("an item without a quota, or with an empty window, is left out", () => {
    expect(parseRateLimitPolicy('"a";w=60, "b";q=1;w=0, "c";q=-1')).toEqual([]);
  });
});

describe("readQuotas", () => {
  const read = (headers: Record<string, string>): readonly Quota[] => readQuotas(new Headers(headers), EPOCH);

  test("joins RateLimit and RateLimit-Policy by name", () => {
    expect(read({ ratelimit: '"a";r=7;t=19', "ratelimit-policy": '"b";q=1;w=1, "a";q=120;w=60' })).toEqual([
      quota({ policy: "a", remaining: 7, resetMs: 19_000, limit: 120, windowMs: 60_000 }),
    ]);
  });

  test("draft-6: separate headers, the window by its limit", () => {
    expect(
      read({
        "ratelimit-limit": "120",
        "ratelimit-remaining": "7",
        "ratelimit-reset": "19",
        "ratelimit-policy": "600;w=3600, 120;w=60",
      }),
    ).toEqual([quota({ remaining: 7, resetMs: 19_000, limit: 120, windowMs: 60_000 })]);
  });

  test("early drafts: a list as the limit", () => {
    expect(read({ "ratelimit-limit": "120, 120;w=60", "ratelimit-remaining": "7", "ratelimit-reset": "19" })).toEqual([
      quota({ remaining: 7, resetMs: 19_000, limit: 120 }),
    ]);
  });

  test.each(["x-ratelimit", "x-rate-limit"])("%s-*, with an epoch that counts from the server's clock", (family) => {
    const headers = {
      date: new Date(EPOCH - 7_200_000).toUTCString(),
      [`${family}-limit`]: "120",
      [`${family}-remaining`]: "7",
      [`${family}-reset`]: String((EPOCH - 7_200_000) / 1000 + 19),
    };
    expect(read(headers)).toEqual([quota({ remaining: 7, resetMs: 19_000, limit: 120 })]);
  });

  test("the newest generation wins", () => {
    expect(read({ ratelimit: '"a";r=7', "ratelimit-remaining": "8", "x-ratelimit-remaining": "9" })).toEqual([
      quota({ policy: "a", remaining: 7 }),
    ]);
    expect(read({ "ratelimit-remaining": "8", "x-ratelimit-remaining": "9" })).toEqual([quota({ remaining: 8 })]);
  });

  test("a malformed newer generation counts as absent", () => {
    expect(read({ ratelimit: '"a";r=', "x-ratelimit-remaining": "9" })).toEqual([quota({ remaining: 9 })]);
  });

  test("a negative rest is none", () => {
    expect(read({ "x-ratelimit-remaining": "-3" })).toEqual([quota({ remaining: 0 })]);
  });

  test("what a cache answers says nothing", () => {
    expect(read({ age: "5", "x-ratelimit-remaining": "9" })).toEqual([]);
    expect(read({ age: "0", "x-ratelimit-remaining": "9" })).toHaveLength(1);
  });

  test("quotas of other things than requests are left out", () => {
    expect(
      read({ ratelimit: '"mb";r=7, "acct";r=1', "ratelimit-policy": '"mb";q=9;qu="content-bytes", "acct";q=3' }),
    ).toEqual([quota({ policy: "acct", remaining: 1, limit: 3 })]);
  });

  test("of policies with one name, the partition tells which is meant", () => {
    expect(
      read({ ratelimit: '"a";r=1;pk=:Yg==:', "ratelimit-policy": '"a";q=5;pk=:YQ==:, "a";q=9;pk=:Yg==:' }),
    ).toEqual([quota({ policy: "a", partition: "Yg==", remaining: 1, limit: 9 })]);
  });
});
