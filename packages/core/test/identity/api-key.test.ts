import type { ErrorCode } from "../../src/domain/errors.ts";
import { apiKey, type ApiKeyOptions } from "../../src/identity/api-key.ts";
import { firstOf } from "../../src/identity/combine.ts";
import { ip } from "../../src/identity/ip.ts";
import { refusal } from "../domain/refusal.ts";
import { manualClock } from "../../src/testing/manual-clock.ts";
import { prepared } from "./prepare-for-test.ts";

const KNOWN = new Map([
  ["key_SECRET", "acme"],
  ["key_OTHER", "other"],
]);

/** An application that knows two keys, and counts how often it is asked. */
function application(options: Partial<ApiKeyOptions> = {}) {
  const clock = manualClock();
  const asked: string[] = [];
  const source = apiKey({
    resolve(credential) {
      asked.push(credential);
      return KNOWN.get(credential);
    },
    clock,
    ...options,
  });
  const { of, failures } = prepared(firstOf(source, ip()));
  const present = (key: string | undefined, from = "203.0.113.1") =>
    of({ headers: key === undefined ? {} : { "x-api-key": key }, ip: from });
  return { clock, asked, present, failures };
}

describe("an API key is an identity once the application has vouched for it", () => {
  test("known keys count by their owner, unknown ones by address", () => {
    const { present } = application();
    expect(present("key_SECRET")).toBe("api:=acme");
    expect(present("key_SECRET")).toBe(apiKey.owner("acme"));
    expect(present("made up")).toBe("ip:203.0.113.1");
    expect(present(undefined)).toBe("ip:203.0.113.1");
    expect(present("")).toBe("ip:203.0.113.1");
  });

  test("A22 a key that is only vouched for counts by its digest: nothing holds it in clear", () => {
    const { present } = application({ resolve: () => true });
    const key = present("key_SECRET");
    expect(key).toBe(apiKey.key("key_SECRET"));
    expect(key).toMatch(/^api:#[\w-]{43}$/);
    expect(present(" key_SECRET\t")).toBe(key);
    expect(present("key_secret")).not.toBe(key);
  });

  test("A22 a repeated header is its values in one, which is another key; 64 KB are none and are not even hashed", () => {
    const { present, asked } = application({ resolve: () => true });
    expect(present("key_SECRET, key_OTHER")).not.toBe(present("key_SECRET"));
    expect(present("x".repeat(65_536))).toBe("ip:203.0.113.1");
    expect(asked).toEqual([]);
    expect((present("x".repeat(4_096)) as string).length).toBeLessThan(64);
  });

  test.each([false, null, undefined, ""])("a verdict of %p vouches for nothing", (verdict) => {
    const { present, failures } = application({ resolve: () => verdict });
    expect(present("key")).toBe("ip:203.0.113.1");
    expect(failures).toEqual([]);
  });

  test("a verdict that is no identity is an event", () => {
    const { present, failures } = application({ resolve: () => ({}) as never });
    expect(present("key")).toBe("ip:203.0.113.1");
    expect(failures).toMatchObject([{ type: "bad-key", kind: "api" }]);
  });

  test("with a scheme, other schemes are no credential", () => {
    const { of } = prepared(firstOf(apiKey({ header: "Authorization", scheme: "Bearer", resolve: () => true }), ip()));
    const sent = (authorization: string) => of({ headers: { authorization } });
    expect(sent("Bearer abc")).toBe(apiKey.key("abc"));
    expect(sent("bearer  abc")).toBe(apiKey.key("abc"));
    expect(sent("Basic abc")).toBe("ip:203.0.113.1");
    expect(sent("Bearer")).toBe("ip:203.0.113.1");
  });
});

describe("verdicts are remembered, so that the limiter asks seldom", () => {
  test("a vouched key for a minute, an unknown one for ten seconds", () => {
    const { present, asked, clock } = application();
    for (let i = 0; i < 5; i++) void [present("key_SECRET"), present("made up")];
    expect(asked).toEqual(["key_SECRET", "made up"]);
    clock.advance(10_000);
    void [present("key_SECRET"), present("made up")];
    expect(asked).toEqual(["key_SECRET", "made up", "made up"]);
    clock.advance(50_000);
    void present("key_SECRET");
    expect(asked).toHaveLength(4);
  });

  test("a key that was withdrawn is gone when its verdict is", () => {
    let verdict: boolean | undefined = true;
    const { present, clock } = application({ resolve: () => verdict, rememberVouched: "30 seconds" });
    void present("key");
    verdict = undefined;
    expect(present("key")).toBe(apiKey.key("key"));
    clock.advance(30_000);
    expect(present("key")).toBe("ip:203.0.113.1");
  });

  test("made-up keys from everywhere do not push out the verdicts on real ones, and memory is bounded", () => {
    const { present, asked } = application({ maxRemembered: 10 });
    void present("key_SECRET");
    for (let i = 0; i < 1_000; i++) void present(`made up ${i}`, `10.0.${i >> 8}.${i & 255}`);
    void present("key_SECRET");
    expect(asked.filter((key) => key === "key_SECRET")).toHaveLength(1);
    void present("made up 0", "192.0.2.7");
    expect(asked.filter((key) => key === "made up 0")).toHaveLength(2);
  });

  test("requests that come while a key is being looked up share the answer", async () => {
    let calls = 0;
    const { present } = application({
      resolve: async () => {
        calls++;
        await new Promise((resolve) => setImmediate(resolve));
        return true;
      },
    });
    const keys = await Promise.all(Array.from({ length: 50 }, () => present("key")));
    expect(new Set(keys)).toEqual(new Set([apiKey.key("key")]));
    expect(calls).toBe(1);
  });

  test("a lookup that fails is an event, vouches for nothing and is not remembered", async () => {
    let fails = true;
    const { present, failures } = application({
      resolve: async () => (fails ? Promise.reject(new Error("database")) : true),
    });
    expect(await present("key")).toBe("ip:203.0.113.1");
    expect(failures).toMatchObject([{ type: "key-failed", kind: "api" }]);
    fails = false;
    expect(await present("key")).toBe(apiKey.key("key"));
  });
});

describe("the limiter cannot be used to flood the application's database", () => {
  test("an address that keeps presenting unknown keys is not resolved any more, for a minute", () => {
    const { present, asked, clock } = application();
    for (let i = 0; i < 1_000; i++) expect(present(`made up ${i}`)).toBe("ip:203.0.113.1");
    expect(asked).toHaveLength(20);
    expect(present("key_SECRET")).toBe("ip:203.0.113.1");
    expect(present("key_SECRET", "198.51.100.1")).toBe("api:=acme");
    clock.advance(60_000);
    expect(present("key_OTHER")).toBe("api:=other");
  });

  test("a key that is known already is still honoured from there", () => {
    const { present } = application();
    void present("key_SECRET");
    for (let i = 0; i < 100; i++) void present(`made up ${i}`);
    expect(present("key_SECRET")).toBe("api:=acme");
  });

  test("many users behind one address are no attack", () => {
    const { present } = application({ resolve: (credential) => credential });
    for (let i = 0; i < 1_000; i++) expect(present(`key ${i}`)).toBe(`api:=key ${i}`);
  });

  test("what is asked at the same time counts as well", async () => {
    let calls = 0;
    const { present } = application({
      resolve: async () => {
        calls++;
        return undefined;
      },
    });
    await Promise.all(Array.from({ length: 500 }, (_, i) => present(`made up ${i}`)));
    expect(calls).toBe(20);
  });
});

const REFUSED: readonly [object, ErrorCode, string][] = [
  [{}, "ERR_AFORO_MISSING_OPTION", "resolve"],
  [{ resolve: true }, "ERR_AFORO_INVALID_OPTION", "resolve"],
  [{ resolve: () => true, heder: "x" }, "ERR_AFORO_UNKNOWN_OPTION", '"header"'],
  [{ resolve: () => true, header: "x y" }, "ERR_AFORO_INVALID_OPTION", "header"],
  [{ resolve: () => true, rememberVouched: "soon" }, "ERR_AFORO_INVALID_DURATION", "rememberVouched"],
  [{ resolve: () => true, rememberUnknown: -1 }, "ERR_AFORO_INVALID_DURATION", "rememberUnknown"],
  [{ resolve: () => true, maxRemembered: 0 }, "ERR_AFORO_INVALID_OPTION", "maxRemembered"],
  [{ resolve: () => true, unknownPerMinute: 1.5 }, "ERR_AFORO_INVALID_OPTION", "unknownPerMinute"],
];

test.each(REFUSED)("options %j are refused", (options, code, named) => {
  expect(refusal(() => apiKey(options as never), code).message).toContain(named);
});
