import { createKeyHasher, createPartitionKeys } from "../../src/identity/key-hasher.ts";

const OLD = "an old secret of the suite";
const NEW = "a new secret of the suite";

describe("what the store may see of a key", () => {
  test("without a secret and hashKeys keys go as they are", () => {
    expect(createKeyHasher({ secrets: [], hashKeys: false })).toBeUndefined();
  });

  test("hashKeys hides every kind but its name", () => {
    const hasher = createKeyHasher({ secrets: [], hashKeys: true });
    for (const key of ["ip:203.0.113.9", "user:ana@example.org", "custom:x"]) {
      const [hashed = ""] = hasher?.hash(key) ?? [];
      expect(hashed).toMatch(new RegExp(`^${key.split(":")[0]}:~[\\w-]{43}$`));
    }
  });

  test("a secret hides credentials, alone or joined with others, and leaves the rest readable", () => {
    const hasher = createKeyHasher({ secrets: [NEW], hashKeys: false });
    expect(hasher?.hash("ip:203.0.113.9")).toEqual(["ip:203.0.113.9"]);
    expect(hasher?.hash("api:#digest")).toHaveLength(1);
    expect(hasher?.hash("api:#digest")[0]).toMatch(/^api:~[\w-]{43}$/);
    expect(hasher?.hash("all:11:api:#digest3:x:y")[0]).toMatch(/^all:~/);
  });

  test("instances with one secret agree, with another they do not", () => {
    const one = createKeyHasher({ secrets: [NEW], hashKeys: true })?.hash("user:1");
    expect(createKeyHasher({ secrets: [NEW], hashKeys: true })?.hash("user:1")).toEqual(one);
    expect(createKeyHasher({ secrets: [OLD], hashKeys: true })?.hash("user:1")).not.toEqual(one);
  });

  test("while a secret is rotated a key counts under the new and the old one", () => {
    const [newer] = createKeyHasher({ secrets: [NEW], hashKeys: true })?.hash("user:1") ?? [];
    const [older] = createKeyHasher({ secrets: [OLD], hashKeys: true })?.hash("user:1") ?? [];
    expect(createKeyHasher({ secrets: [NEW, OLD], hashKeys: true })?.hash("user:1")).toEqual([newer, older]);
  });

  test("partition keys tell apart callers and policies, and are short", () => {
    const partition = createPartitionKeys(NEW);
    const all = [partition("a", "user:1"), partition("a", "user:2"), partition("b", "user:1")];
    expect(new Set(all).size).toBe(3);
    for (const each of all) expect(each).toMatch(/^[\w+/]{12}$/);
    expect(createPartitionKeys(OLD)("a", "user:1")).not.toBe(all[0]);
  });
});
