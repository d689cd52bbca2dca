import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { ip } from "../../src/identity/ip.ts";
import { refusal } from "../domain/refusal.ts";
import { prepared } from "./prepare-for-test.ts";

const keyOf = (address: string | undefined, prefix?: number) =>
  prepared(ip(prefix === undefined ? {} : { ipv6Prefix: prefix })).of({ ip: address });

describe("clients are counted by address", () => {
  test("A23 IPv6 clients are grouped by prefix, /64 when nothing else is said", () => {
    expect(keyOf("2001:db8:1:2::1")).toBe("ip:2001:0db8:0001:0002::/64");
    expect(keyOf("2001:db8:1:2:ffff::9")).toBe(keyOf("2001:db8:1:2::1"));
    expect(keyOf("2001:db8:1:3::1")).not.toBe(keyOf("2001:db8:1:2::1"));
  });

  test("A23 a shorter prefix groups more, 128 counts each address", () => {
    expect(keyOf("2001:db8:1:2::1", 56)).toBe(keyOf("2001:db8:1:ff::1", 56));
    expect(keyOf("2001:db8:1:2::1", 56)).not.toBe(keyOf("2001:db8:1:100::1", 56));
    expect(keyOf("2001:db8::1", 128)).toBe("ip:2001:0db8:0000:0000:0000:0000:0000:0001/128");
    expect(keyOf("2001:db8::1", 128)).not.toBe(keyOf("2001:db8::2", 128));
  });

  test("two addresses have one key exactly when a library calls their networks the same, at every prefix", () => {
    const near = fc.tuple(fc.ipV6(), fc.nat({ max: 127 })).map(([text, bit]) => {
      const bytes = ipaddr.IPv6.parse(text).toByteArray();
      bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (128 >> (bit & 7));
      return [text, ipaddr.fromByteArray(bytes).toNormalizedString()] as const;
    });
    fc.assert(
      fc.property(near, fc.integer({ min: 1, max: 128 }), ([a, b], prefix) => {
        fc.pre([a, b].every((text) => !ipaddr.IPv6.parse(text).isIPv4MappedAddress()));
        const same = ipaddr.IPv6.parse(a).match(ipaddr.IPv6.parse(b), prefix);
        return (keyOf(a, prefix) === keyOf(b, prefix)) === same;
      }),
      { numRuns: 2_000 },
    );
  });

  test("A24 IPv4 written as IPv6 is that IPv4 client, whatever the prefix and the spelling", () => {
    expect(keyOf("::ffff:192.0.2.1", 56)).toBe("ip:192.0.2.1");
    expect(keyOf("::ffff:198.51.100.7", 56)).toBe("ip:198.51.100.7");
    for (const spelling of [
      "192.0.2.1",
      "::FFFF:c000:201",
      "0:0:0:0:0:ffff:192.0.2.1",
      "::ffff:c000:0201",
      "64:ff9b::192.0.2.1",
      "64:ff9b::c000:201",
    ]) {
      expect(keyOf(spelling, 56)).toBe("ip:192.0.2.1");
    }
    expect(keyOf("::192.0.2.1")).not.toBe("ip:192.0.2.1");
  });

  test("A26 ports and brackets go before keying; a bare IPv6 address is never cut", () => {
    expect(keyOf("203.0.113.9:51111")).toBe("ip:203.0.113.9");
    expect(keyOf("203.0.113.9:51112")).toBe("ip:203.0.113.9");
    expect(keyOf("[2001:db8:1:2::5]:443")).toBe(keyOf("2001:db8:1:2::5"));
    expect(keyOf("2001:db8:1:2:0:0:0:443", 128)).not.toBe(keyOf("2001:db8:1:2::", 128));
  });

  test("A27 without an address, and with text that is none, all are counted as one and never as undefined", () => {
    expect(keyOf(undefined)).toBe("ip:unknown");
    for (const text of ["", "unknown", "made up 1", "made up 2", "undefined", "null"])
      expect(keyOf(text)).toBe("ip:unknown");
  });

  test("A27 an address that cannot even be asked for is an event and no exception", () => {
    const { key, failures } = prepared(ip());
    const request = {
      get ip(): string {
        throw new Error("socket is gone");
      },
      header: () => undefined,
    };
    expect(key(request as never)).toBe("ip:unknown");
    expect(failures).toMatchObject([{ type: "key-failed", kind: "ip" }]);
  });

  test("A23 a key is named by hand as the extractor names it", () => {
    expect(ip.key("[2001:db8:1:2::5]:443")).toBe(keyOf("2001:db8:1:2::1"));
    expect(ip({ ipv6Prefix: 48 }).key("2001:db8:1:2::5")).toBe(keyOf("2001:db8:1:ffff::1", 48));
  });

  test.each([0, 129, 64.5, NaN, "64"])("a prefix of %p is refused", (ipv6Prefix) => {
    expect(refusal(() => ip({ ipv6Prefix: ipv6Prefix as number }), "ERR_AFORO_INVALID_OPTION").message).toContain(
      "ipv6Prefix",
    );
  });

  test("an option that does not exist is refused with the nearest name", () => {
    expect(refusal(() => ip({ ipv6prefix: 56 } as never), "ERR_AFORO_UNKNOWN_OPTION").message).toContain(
      '"ipv6Prefix"',
    );
  });
});

describe("proxy settings that make addresses worthless are told once", () => {
  const forwarded = { headers: { "x-forwarded-for": "192.0.2.1, 203.0.113.9" } };

  test("trust in everybody: the left-most entry is whatever the client wrote", () => {
    const { of, warnings } = prepared(ip());
    for (let i = 0; i < 3; i++) void of({ ...forwarded, proxyTrust: "all" });
    expect(warnings).toEqual(["AFORO_PROXY_TRUST_UNCONDITIONAL"]);
  });

  test.each([
    "10.1.2.3",
    "127.0.0.1",
    "172.31.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "::1",
    "fd00::1",
    "fe80::1",
    "::ffff:10.0.0.1",
  ])("a forwarding peer in a private network (%s) that is not trusted", (peer) => {
    const { of, warnings } = prepared(ip());
    for (let i = 0; i < 3; i++) void of({ ...forwarded, peer });
    expect(warnings).toEqual(["AFORO_PROXY_UNTRUSTED"]);
  });

  test("a forwarding peer in a private network that is none of those that are trusted", () => {
    const { of, warnings } = prepared(ip());
    for (let i = 0; i < 3; i++) void of({ ...forwarded, peer: "10.1.2.3", ip: "10.1.2.3", proxyTrust: "some" });
    expect(warnings).toEqual(["AFORO_PROXY_UNTRUSTED"]);
  });

  test("nothing is told of public peers, of trusted hops, nor without the header", () => {
    const { of, warnings } = prepared(ip());
    void of({ ...forwarded, peer: "198.51.100.1" });
    void of({ ...forwarded, peer: "172.32.0.1" });
    void of({ ...forwarded, peer: "10.0.0.1", proxyTrust: "some" });
    void of({ headers: { "x-forwarded-for": "127.0.0.1" }, peer: "127.0.0.1", ip: "127.0.0.1", proxyTrust: "some" });
    void of({ peer: "10.0.0.1" });
    expect(warnings).toEqual([]);
  });

  test("only the first 1,000 requests are looked at", () => {
    const { of, warnings } = prepared(ip());
    for (let i = 0; i < 1_000; i++) void of();
    void of({ ...forwarded, proxyTrust: "all" });
    expect(warnings).toEqual([]);
  });
});
