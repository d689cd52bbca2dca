import { parseClasses } from "../../src/policy/request-class.ts";
import { parseRoutePattern } from "../../src/policy/route-pattern.ts";

describe("a route pattern", () => {
  test.each([
    ["/search", "GET", "/search", true],
    ["/search", "GET", "/search?q=1", true],
    ["/search", "GET", "/search/x", false],
    ["/search*", "GET", "/search/x?y", true],
    ["GET /a", "GET", "/a", true],
    ["get,post /a", "POST", "/a", true],
    ["GET /a", "POST", "/a", false],
    ["GET /a", undefined, "/a", false],
    ["/users/:id", "GET", "/users/42", true],
    ["/users/:id", "GET", "/users/42/posts", false],
    ["/users/:id/*", "GET", "/users/42/posts", true],
    ["/a.b+c(d)", "GET", "/a.b+c(d)", true],
    ["/a.b", "GET", "/axb", false],
    ["*", "GET", "/anything", true],
    ["*", undefined, undefined, false],
  ])("%s: %s %s is %s", (pattern, method, path, matches) => {
    expect(parseRoutePattern("--include", pattern)(method, path)).toBe(matches);
  });

  test.each(["", "search", "GET", "GET search", "G3T /x"])("%p is none", (text) => {
    expect(() => parseRoutePattern("--include", text)).toThrow(/"--include" must be a path, perhaps after methods/);
  });
});

describe("a class", () => {
  test("has a cost and as many patterns as it was given", () => {
    const classes = parseClasses(["search:5=GET /search*", "export=/export", "search=POST /find"]);
    expect(classes.map(({ name, cost, patterns }) => [name, cost, patterns.length])).toEqual([
      ["search", 5, 2],
      ["export", 1, 1],
    ]);
  });

  test.each(["search", "=/x", "a b=/x", "x:=/x", "x:-1=/x", "x=nope"])("%p is none", (text) => {
    expect(() => parseClasses([text])).toThrow(/must be/);
  });
});
