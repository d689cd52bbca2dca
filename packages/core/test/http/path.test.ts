import { pathOf } from "../../src/adapter.ts";

describe("the path of a request target", () => {
  test.each([
    ["/", "/"],
    ["/login", "/login"],
    ["/login?x=1", "/login"],
    ["/login?", "/login"],
    ["/login#part", "/login"],
    ["/login?next=/a#b", "/login"],
    ["/a%2Fb?x", "/a%2Fb"],
    ["//double", "//double"],
    ["http://example.org/login?x=1", "/login"],
    ["HTTPS://user@example.org:8080/a", "/a"],
    ["http://example.org", "/"],
    ["http://example.org?x=1", "/"],
    ["*", "*"],
    ["", "/"],
  ])("of %j is %j (A55)", (target, path) => {
    expect(pathOf(target)).toBe(path);
  });
});
