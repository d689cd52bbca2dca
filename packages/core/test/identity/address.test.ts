import { isIP } from "node:net";
import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { AddressReader } from "../../src/identity/address.ts";

const reader = new AddressReader();

/** What was read, in the oracle's terms. */
function bytesRead(): readonly number[] {
  const { family, ipv4, groups } = reader;
  if (family === 4) return [24, 16, 8, 0].map((shift) => (ipv4 >>> shift) & 255);
  return Array.from(groups).flatMap((group) => [group >>> 8, group & 255]);
}

/** The same by the library; IPv4 written as IPv6 is IPv4. */
function bytesExpected(text: string): readonly number[] {
  const [address = ""] = text.split("%");
  const parsed = ipaddr.parse(address);
  if (parsed.kind() === "ipv4") return parsed.toByteArray();
  const ipv6 = parsed as ipaddr.IPv6;
  if (ipv6.isIPv4MappedAddress()) return ipv6.toIPv4Address().toByteArray();
  const bytes = ipv6.toByteArray();
  return ipv6.match(ipaddr.IPv6.parseCIDR("64:ff9b::/96")) ? bytes.slice(12) : bytes;
}

const ipv4 = fc.ipV4();
const group = fc.oneof(fc.constantFrom(0, 0, 0xffff, 0x64, 0xff9b), fc.integer({ min: 0, max: 0xffff }));

/** Every way to write eight groups: letter case, leading zeros, "::" in place of zeros, a dotted tail. */
const ipv6 = fc
  .record({
    groups: fc.array(group, { minLength: 8, maxLength: 8 }),
    upper: fc.boolean(),
    padded: fc.boolean(),
    dotted: fc.boolean(),
    gap: fc.option(fc.record({ from: fc.nat({ max: 7 }), length: fc.integer({ min: 1, max: 8 }) })),
    zone: fc.constantFrom("", "", "%eth0", "%25"),
  })
  .map(({ groups, upper, padded, dotted, gap, zone }) => {
    const written = groups.map((each) => each.toString(16).padStart(padded ? 4 : 1, "0"));
    if (dotted) {
      const [high = 0, low = 0] = groups.slice(6);
      written.splice(6, 2, [high >> 8, high & 255, low >> 8, low & 255].join("."));
    }
    if (gap !== null && gap.from < written.length) {
      const behind = written.slice(Math.min(written.length, gap.from + gap.length));
      const text = `${written.slice(0, gap.from).join(":")}::${behind.join(":")}`;
      return (upper ? text.toUpperCase() : text) + zone;
    }
    const text = written.join(":");
    return (upper ? text.toUpperCase() : text) + zone;
  });

/** Text that is nearly an address. */
const nearly = fc.oneof(
  fc
    .tuple(
      fc.oneof(ipv4, ipv6),
      fc.nat({ max: 45 }),
      fc.constantFrom(":", ".", "0", "g", " ", "%", "[", "]", "f", "-", ""),
    )
    .map(([text, at, put]) => text.slice(0, at) + put + text.slice(at + 1)),
  fc.string({ unit: fc.constantFrom(...Array.from("0123456789abcdefF:.%[] ")), maxLength: 45, size: "max" }),
);

describe("an address by hand is the address that a library reads", () => {
  test("every spelling of 20,000 random addresses", () => {
    fc.assert(
      fc.property(fc.oneof(ipv4, fc.ipV6(), ipv6), (text) => {
        // The library takes the long gone "::a.b.c.d" (RFC 4291, 2.5.5.1) for a mapped address, against its bits.
        fc.pre(isIP(text) !== 0 && !/^::\d+\./.test(text));
        return reader.read(text) && bytesRead().join() === bytesExpected(text).join();
      }),
      { numRuns: 20_000 },
    );
  });

  test("20,000 texts that are nearly addresses: exactly those are read that Node calls addresses", () => {
    fc.assert(
      fc.property(nearly, (text) => {
        // Brackets, and ports behind IPv4, are ours to take off; a zone may be called anything.
        fc.pre(!text.startsWith("[") && !/^[\d.]+:\d{1,5}$/.test(text));
        const [address = "", ...zone] = text.split("%");
        const known = zone.length > 0 && zone.join("%") !== "" && isIP(address) === 6 ? 6 : isIP(text);
        return reader.read(text) === (known !== 0);
      }),
      { numRuns: 20_000 },
    );
  });

  test("nothing is left of the address that was read before", () => {
    reader.read("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff");
    reader.read("1::2");
    expect(Array.from(reader.groups)).toEqual([1, 0, 0, 0, 0, 0, 0, 2]);
    expect(reader.read("not an address")).toBe(false);
    expect(reader.family).toBe(0);
  });
});

describe("a port, brackets and a zone are no part of an address", () => {
  test.each([
    ["203.0.113.9:51111", 4],
    ["203.0.113.9:0", 4],
    ["[2001:db8::5]:443", 6],
    ["[2001:db8::5]", 6],
    ["[::ffff:203.0.113.9]:443", 4],
    ["fe80::1%eth0", 6],
    ["[fe80::1%eth0]:80", 6],
    ["::ffff:203.0.113.9%eth0", 4],
  ])("%s", (text, family) => {
    expect(reader.read(text)).toBe(true);
    expect(reader.family).toBe(family);
  });

  test.each([
    "",
    " 203.0.113.9",
    "203.0.113.9 ",
    "203.0.113.9:",
    "203.0.113.9:port",
    "203.0.113.9:123456",
    "203.0.113",
    "203.0.113.256",
    "203.0.113.09",
    "0x7f.0.0.1",
    "[203.0.113.9]",
    "[2001:db8::5",
    "[2001:db8::5]443",
    "2001:db8::5]:443",
    "::ffff:203.0.113.9:443",
    "fe80::1%",
    "1:2:3:4:5:6:7:8:443",
    "unknown",
    "_hidden",
    "localhost",
    "٣.٣.٣.٣",
  ])("%j is no address", (text) => {
    expect(reader.read(text)).toBe(false);
  });
});
