import { memoryStore } from "../../src/memory/memory-store.ts";
import { policyOf, peek } from "./policy-of.ts";

describe("memoryStore", () => {
  test.each([
    [{ maxKeys: 0 }, "ERR_AFORO_INVALID_OPTION", /"maxKeys" must be a whole number of at least 1, got 0 \(number\)/],
    [{ maxKeys: 1.5 }, "ERR_AFORO_INVALID_OPTION", /"maxKeys"/],
    [{ maxKeys: "1000" }, "ERR_AFORO_INVALID_OPTION", /"maxKeys" .* got "1000" \(string\)/],
    [{ maxKeys: NaN }, "ERR_AFORO_INVALID_OPTION", /"maxKeys"/],
    [{ maxLogEntries: 999 }, "ERR_AFORO_INVALID_OPTION", /"maxLogEntries" must be a whole number of at least 1000/],
    [{ clock: 5 }, "ERR_AFORO_INVALID_OPTION", /"clock" must be a function/],
    [{ maxkeys: 5 }, "ERR_AFORO_UNKNOWN_OPTION", /no option "maxkeys"; did you mean "maxKeys"\?/],
    [null, "ERR_AFORO_INVALID_OPTION", /memoryStore must be an object of options, got null/],
    [7, "ERR_AFORO_INVALID_OPTION", /memoryStore must be an object of options/],
  ])("refuses %p", (options, code, message) => {
    const create = () => memoryStore(options as never);
    expect(create).toThrow(message);
    expect(create).toThrow(expect.objectContaining({ name: "ConfigError", code }));
  });

  test("needs no options, and says what it is", () => {
    const store = memoryStore();
    expect(store).toMatchObject({ sync: true, kind: "memory", size: 0 });
    store.close();
  });

  test("refuses what a clock gives that is no time, at each call", () => {
    const store = memoryStore({ clock: () => NaN });
    expect(() => peek(store, policyOf(), "somebody")).toThrow(
      expect.objectContaining({ code: "ERR_AFORO_INVALID_CLOCK" }),
    );
    store.close();
  });
});
