import fc from "fast-check";
import { AddressKey } from "../../src/callers/address.ts";
import { CallerTable } from "../../src/callers/caller-table.ts";

jest.setTimeout(60_000);

const asIs = new AddressKey((text) => text);

describe("the table of callers", () => {
  test("property: gives each key one number, from 0 on, and the key back", () => {
    const key = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.ipV4(),
      fc.ipV6(),
      fc.string({ minLength: 180, maxLength: 200 }),
    );
    fc.assert(
      fc.property(fc.array(key, { maxLength: 60, size: "max" }), (keys) => {
        const callers = new CallerTable();
        const numbers = new Map<string, number>();
        for (const each of [...keys, ...keys]) {
          const bytes = Buffer.from(each, "latin1");
          const isText = bytes.toString("latin1") === each;
          const number = isText ? asIs.internBytes(callers, bytes, 0, bytes.length) : asIs.internText(callers, each);
          const spelt = each === "-" && isText ? "unknown" : each;
          expect(number).toBe(numbers.get(spelt) ?? numbers.size);
          numbers.set(spelt, number);
        }
        expect(callers.size).toBe(numbers.size);
        // UTF-8 has no lone surrogates.
        for (const [text, number] of numbers) expect(callers.key(number)).toBe(Buffer.from(text).toString());
      }),
      { numRuns: 30 },
    );
  });

  test("holds hundreds of thousands of addresses apart", () => {
    const callers = new CallerTable();
    for (let i = 0; i < 300_000; i++)
      if (callers.internIpv4(i * 7_919) !== i) throw new Error(`address ${i} has another number`);
    for (let i = 0; i < 300_000; i += 997) expect(callers.internIpv4(i * 7_919)).toBe(i);
    expect(callers.size).toBe(300_000);
    expect(callers.key(1)).toBe("0.0.30.239");
  });

  test("an address is the same caller as bytes, as text and as its number", () => {
    const callers = new CallerTable();
    const bytes = Buffer.from("x255.255.255.254y");
    expect(asIs.internBytes(callers, bytes, 1, bytes.length - 1)).toBe(0);
    expect(asIs.internText(callers, "255.255.255.254")).toBe(0);
    expect(callers.internIpv4(0xfffffffe)).toBe(0);
    expect(callers.key(0)).toBe("255.255.255.254");
  });

  test("keeps very long keys apart in little space", () => {
    const callers = new CallerTable();
    const long = "k".repeat(10_000);
    expect(callers.internText(long)).toBe(0);
    expect(callers.internText(`${long}1`)).toBe(1);
    expect(callers.internText(long)).toBe(0);
    expect(callers.key(0)).toMatch(/^k{64}…#[\w-]{43}$/);
  });
});
