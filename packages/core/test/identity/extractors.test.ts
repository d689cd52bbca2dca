import fc from "fast-check";
import { allOf, firstOf } from "../../src/identity/combine.ts";
import { ip } from "../../src/identity/ip.ts";
import type { KeyValue } from "../../src/identity/key-source.ts";
import { keyText } from "../../src/identity/key-text.ts";
import { normalizeIdentifier } from "../../src/identity/normalize-identifier.ts";
import { route } from "../../src/identity/route.ts";
import { trustedHeader } from "../../src/identity/trusted-header.ts";
import { user } from "../../src/identity/user.ts";
import { refusal } from "../domain/refusal.ts";
import { prepared } from "./prepare-for-test.ts";

describe("the text of an identity", () => {
  const parts = fc.array(
    fc.string({ unit: fc.constantFrom("a", "b", "1", ":", "|", "/", "%", "\0", "\n", "é", "\ud800") }),
    { minLength: 1, maxLength: 4 },
  );

  test("A20 parts cannot run into each other: two lists with one text are one list", () => {
    fc.assert(
      fc.property(parts, parts, (a, b) => (keyText(a) === keyText(b)) === (JSON.stringify(a) === JSON.stringify(b))),
      { numRuns: 5_000 },
    );
  });

  test.each([
    [
      ["a:b", "c"],
      ["a", "b:c"],
    ],
    [
      ["a", ""],
      ["", "a"],
    ],
    [
      ["1", "11"],
      ["11", "1"],
    ],
    [
      ["a|b", "c"],
      ["a", "b|c"],
    ],
    [
      ["a\0b", "c"],
      ["a", "b\0c"],
    ],
  ])("A20 %j and %j are two callers", (a, b) => {
    expect(keyText(a)).not.toBe(keyText(b));
  });

  test.each([undefined, null, "", [], [undefined], ["a", null], ["a", undefined]])("%j names nobody", (value) => {
    expect(keyText(value as KeyValue)).toBeUndefined();
  });

  test.each([
    [42, "42"],
    [42n, "42"],
    [0, "0"],
    ["__proto__", "__proto__"],
  ])("%p is %j", (value, text) => {
    expect(keyText(value)).toBe(text);
  });

  test.each([
    NaN,
    Infinity,
    true,
    {},
    Symbol("x"),
    () => 1,
    "undefined",
    "null",
    "NaN",
    "[object Object]",
    ["a", {}],
    [["a"]],
  ])("%p is refused", (value) => {
    refusal(() => keyText(value as KeyValue), "ERR_AFORO_INVALID_KEY");
  });
});

describe("each kind of identity has a name space of its own", () => {
  const asked = { user: { id: "x" }, headers: { "x-tenant": "x" }, route: "x", ip: "x" };

  test("one text under every kind is a caller of each", async () => {
    const sources = [
      user(),
      trustedHeader("X-Tenant"),
      trustedHeader("x-other"),
      route(),
      ip(),
      () => "x",
      user(() => ["x"]),
      allOf(() => "x"),
    ];
    const keys = await Promise.all(
      sources.map((source) => prepared(source).of({ ...asked, headers: { "x-tenant": "x", "x-other": "x" } })),
    );
    expect(new Set(keys).size).toBe(sources.length);
  });

  test("A21 names of special properties are ordinary users", () => {
    for (const id of ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf"]) {
      expect(prepared(user()).of({ user: { id } })).toBe(`user:${id}`);
    }
  });

  test("keys named by hand are those of requests", () => {
    expect(user.key("42")).toBe(prepared(user()).of({ user: { id: 42 } }));
    expect(user.key(["acme", 42])).toBe(prepared(user(() => ["acme", "42"])).of());
    expect(trustedHeader.key("X-Tenant", " acme ")).toBe(
      prepared(trustedHeader("x-tenant")).of({ headers: { "x-tenant": "acme " } }),
    );
    expect(route.key("GET", "/users/:id")).toBe(prepared(route()).of({ method: "HEAD", route: "/users/:id" }));
    expect(allOf.key(user.key("42"), route.key("GET", "/"))).toBe(
      prepared(allOf(user(), route())).of({ user: { id: 42 }, route: "/" }),
    );
    refusal(() => user.key(""), "ERR_AFORO_INVALID_KEY");
    refusal(() => user.key(undefined as never), "ERR_AFORO_INVALID_KEY");
  });
});

describe("who the user is", () => {
  test.each([
    [{ id: 42 }, "user:42"],
    [{ sub: "auth|42" }, "user:auth|42"],
    [{ id: null, sub: "s" }, "user:s"],
    ["just-an-id", "user:just-an-id"],
    [{ name: "no id" }, undefined],
    [undefined, undefined],
  ])("%j", (value, key) => {
    expect(prepared(user()).of({ user: value as never })).toBe(key);
  });

  test("one that never resolved in 1,000 requests warns once: the limiter probably runs before authentication", () => {
    const { of, warnings } = prepared(user((request) => request.user?.id));
    for (let i = 0; i < 999; i++) void of();
    expect(warnings).toEqual([]);
    for (let i = 0; i < 2_000; i++) void of();
    expect(warnings).toEqual(["AFORO_USER_UNRESOLVED"]);
  });

  test("one that resolved once does not warn, asynchronous or not", async () => {
    for (const source of [user((request) => request.user?.id), user(async (request) => request.user?.id)]) {
      const { of, warnings } = prepared(source);
      await of({ user: { id: 1 } });
      for (let i = 0; i < 1_500; i++) void of();
      await of();
      expect(warnings).toEqual([]);
    }
  });

  test("an asynchronous one that never resolves warns too", async () => {
    const { of, warnings } = prepared(user(async () => undefined));
    await Promise.all(Array.from({ length: 1_500 }, () => of()));
    expect(warnings).toEqual(["AFORO_USER_UNRESOLVED"]);
  });
});

describe("a key function that fails names nobody, and the next one decides", () => {
  const failing: readonly [string, () => never | Promise<never> | Promise<KeyValue>][] = [
    [
      "throws",
      () => {
        throw new Error("no");
      },
    ],
    ["rejects", () => Promise.reject(new Error("no"))],
    ["never answers", () => new Promise<never>(() => {})],
  ];

  test.each(failing)("one that %s is an event", async (_, source) => {
    const { of, failures } = prepared(firstOf(source, ip()), 20);
    expect(await of()).toBe("ip:203.0.113.1");
    expect(failures).toMatchObject([{ type: "key-failed", kind: "custom" }]);
  });

  test.each([{}, true, NaN, "undefined", "[object Object]"])("one that answers %p is an event", async (value) => {
    for (const source of [() => value, async () => value]) {
      const { of, failures } = prepared(firstOf(source as () => string, ip()));
      expect(await of()).toBe("ip:203.0.113.1");
      expect(failures).toMatchObject([{ type: "bad-key", kind: "custom" }]);
    }
  });

  test.each([undefined, null, ""])("one that answers %p falls through without an event", (value) => {
    const { of, failures } = prepared(firstOf(() => value, ip()));
    expect(of()).toBe("ip:203.0.113.1");
    expect(failures).toEqual([]);
  });

  test("a plain answer is plain, so that nothing is awaited where nothing is asynchronous", () => {
    expect(
      prepared(
        firstOf(
          () => undefined,
          user(),
          allOf(ip(), () => "x"),
        ),
      ).of(),
    ).toBe("all:14:ip:203.0.113.18:custom:x");
  });

  test("allOf has no key when a part is missing", async () => {
    expect(prepared(allOf(ip(), user())).of()).toBeUndefined();
    expect(await prepared(allOf(ip(), async () => null)).of()).toBeUndefined();
  });

  test("what comes later than the deadline changes nothing, and no timer stays", async () => {
    const { of, failures } = prepared(
      () => new Promise<string>((resolve) => setTimeout(() => resolve("late"), 30)),
      10,
    );
    expect(await of()).toBeUndefined();
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect(failures).toHaveLength(1);
  });
});

describe("extractors are checked when they are made", () => {
  test.each([
    ["firstOf()", () => firstOf(), "ERR_AFORO_MISSING_OPTION"],
    ["allOf(undefined)", () => allOf(undefined as never), "ERR_AFORO_INVALID_OPTION"],
    ["firstOf(user) without a call", () => firstOf(user as never), "ERR_AFORO_INVALID_OPTION"],
    ["user of text", () => user("id" as never), "ERR_AFORO_INVALID_OPTION"],
    ["trustedHeader of nothing", () => trustedHeader(""), "ERR_AFORO_INVALID_OPTION"],
    ["trustedHeader of two words", () => trustedHeader("x tenant"), "ERR_AFORO_INVALID_OPTION"],
  ] as const)("%s is refused", (_, make, code) => {
    refusal(make, code);
  });
});

describe("one spelling for an identifier that people type", () => {
  test.each([
    "Ana.Perez@Example.org",
    " ana.perez@example.org ",
    "ANA.PEREZ@EXAMPLE.ORG",
    "ａｎａ.perez@example.org",
    "ana\u200b.perez@example.org",
    "ana.perez@example\u00ad.org",
  ])("%j is Ana", (text) => {
    expect(normalizeIdentifier(text)).toBe("ana.perez@example.org");
  });

  test("composed, decomposed, wide and narrow letters are one", () => {
    expect(normalizeIdentifier("Jose\u0301")).toBe(normalizeIdentifier("JOSÉ"));
    expect(normalizeIdentifier("straße")).toBe(normalizeIdentifier("STRASSE"));
    expect(normalizeIdentifier("STRAẞE")).toBe(normalizeIdentifier("STRASSE"));
    expect(normalizeIdentifier("ΟΔΟΣ")).toBe(normalizeIdentifier("οδος"));
    expect(normalizeIdentifier("a \t b")).toBe("a b");
  });

  test("other names stay other names", () => {
    expect(normalizeIdentifier("ana")).not.toBe(normalizeIdentifier("anna"));
    expect(normalizeIdentifier("a b")).not.toBe(normalizeIdentifier("ab"));
  });

  test("doing it twice changes nothing", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        (text) => normalizeIdentifier(normalizeIdentifier(text)) === normalizeIdentifier(text),
      ),
      { numRuns: 5_000 },
    );
  });
});
