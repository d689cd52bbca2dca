import { AccessList } from "../../src/http/access-list.ts";
import { Gates } from "../../src/http/gates.ts";
import { apiKey } from "../../src/identity/api-key.ts";
import { callerAddress } from "../../src/identity/caller-address.ts";
import { ip } from "../../src/identity/ip.ts";
import { FakeExchange } from "../http/fake-exchange.ts";
import { prepared } from "./prepare-for-test.ts";

/** A request whose address is what the framework makes of it. */
function request(address: () => unknown): FakeExchange {
  return Object.defineProperty(new FakeExchange({ headers: { "x-api-key": "key" } }), "ip", { get: address });
}

const gone = new Error("socket is gone");
const notText = { code: "ERR_AFORO_INVALID_KEY" };
const addresses: readonly { readonly that: string; readonly address: () => unknown; readonly told: object[] }[] = [
  { that: "throws", address: () => fail(gone), told: [gone] },
  { that: "is a number", address: () => 42, told: [notText] },
  { that: "is an object", address: () => ({ address: "203.0.113.9" }), told: [notText] },
  { that: "is a list", address: () => ["203.0.113.9"], told: [notText] },
  { that: "is undefined", address: () => undefined, told: [] },
  { that: "is null", address: () => null, told: [] },
];

function fail(error: Error): never {
  throw error;
}

describe("A27 the address of a request, whatever the framework makes of it", () => {
  test("is told as the framework tells it", () => {
    expect(callerAddress(request(() => "[2001:db8::1]:443"))).toBe("[2001:db8::1]:443");
  });

  test.each(addresses)("one that $that is none, and what is wrong with it is told", ({ address, told }) => {
    const failed: unknown[] = [];
    expect(callerAddress(request(address), (error) => void failed.push(error))).toBeUndefined();
    expect(failed).toMatchObject(told);
    expect(callerAddress(request(address))).toBeUndefined();
  });

  test.each(addresses)("one that $that counts by ip() with all who have none", ({ address, told }) => {
    const { key, failures } = prepared(ip());
    expect(key(request(address))).toBe("ip:unknown");
    expect(failures).toMatchObject(told.map((error) => ({ type: "key-failed", kind: "ip", error })));
  });

  test.each(addresses)("one that $that has its API keys looked up, and only ip() tells", ({ address }) => {
    const { key, failures } = prepared(apiKey({ resolve: () => true }));
    expect(key(request(address))).toBe(apiKey.key("key"));
    expect(failures).toEqual([]);
  });

  test.each(addresses)("one that $that is in no list, and what is wrong with it is told", ({ address, told }) => {
    const failed: unknown[] = [];
    const everybody = new AccessList("deny", ["0.0.0.0/0", "::/0"]);
    const gates = new Gates<object>({
      allow: everybody,
      deny: everybody,
      skip: undefined,
      skipPreflight: false,
      skipNotFound: false,
      timeoutMs: 10,
      failed: (error) => void failed.push(error),
    });
    expect(gates.answer(request(address))).toBe("count");
    expect(failed).toMatchObject(told);
  });

  test("a connection that cannot say where it came from is counted by its address", () => {
    const { key, failures, warnings } = prepared(ip());
    const vanished = Object.defineProperty(new FakeExchange({ headers: { "x-forwarded-for": "192.0.2.1" } }), "peer", {
      get: () => fail(gone),
    });
    expect(key(vanished)).toBe("ip:203.0.113.1");
    expect([...failures, ...warnings]).toEqual([]);
  });
});
