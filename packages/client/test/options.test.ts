import { type AforoClientError, CLIENT_ERROR_CODES, createFetch } from "../src/index.ts";

function refusal(options: object): AforoClientError {
  try {
    createFetch(options);
  } catch (error) {
    return error as AforoClientError;
  }
  throw new Error("the options were taken");
}

test("an unknown option is refused, with the nearest known one", () => {
  expect(refusal({ maxRetry: 3 })).toMatchObject({
    code: "ERR_AFORO_CLIENT_UNKNOWN_OPTION",
    message: '"maxRetry" is not an option of createFetch; did you mean "maxRetries"?',
  });
  expect(refusal({ budget: { shares: 1 } }).message).toBe('"shares" is not an option of budget; did you mean "share"?');
  expect(refusal({ qqqqqqqq: 1 }).message).toMatch(/known options: fetch, maxRetries, /);
});

test.each([
  ["fetch", 5],
  ["maxRetries", -1],
  ["maxRetries", 1.5],
  ["maxRetries", 101],
  ["maxRetries", "3"],
  ["maxRetries", Infinity],
  ["maxDelayMs", 249],
  ["maxDelayMs", 2 ** 31],
  ["maxDelayMs", Number.NaN],
  ["deadlineMs", 0],
  ["deadlineMs", 2 ** 31],
  ["deadlineMs", "1m"],
  ["baseDelayMs", 0],
  ["baseDelayMs", -5],
  ["jitter", -0.1],
  ["jitter", 1.1],
  ["jitter", true],
  ["methods", "GET"],
  ["methods", ["GE T"]],
  ["methods", [1]],
  ["retryOn", 500],
  ["retryOn", [399]],
  ["retryOn", [600]],
  ["retryOn", ["network"]],
  ["pace", 1],
  ["budget", true],
  ["budget", []],
  ["onRetry", "log"],
  ["onGiveUp", {}],
  ["isStillUseful", true],
  ["signal", {}],
  ["signal", null],
  ["clock", 0],
  ["random", 0.5],
  ["sleep", 1],
])('"%s" of %j is refused by name', (option, value) => {
  const error = refusal({ [option]: value });
  expect(error.code).toBe("ERR_AFORO_CLIENT_INVALID_OPTION");
  expect(error.message).toMatch(new RegExp(`^"${option}" must be .*, got .* \\(\\w+\\)$`));
});

test.each([
  ["budget.share", { share: 2 }],
  ["budget.perMinute", { perMinute: -1 }],
])('"%s" is checked too', (option, budget) => {
  expect(refusal({ budget }).message).toMatch(new RegExp(`^"${option}" must be a number from 0`));
});

test.each([
  {},
  { deadlineMs: Infinity, maxRetries: 0, jitter: 0, budget: false, pace: false },
  { baseDelayMs: 1, maxDelayMs: 1 },
  { baseDelayMs: 700_000 },
  { methods: ["get", "POST"], retryOn: [500, "network-error"], signal: new AbortController().signal },
  { maxRetries: undefined, onRetry: undefined },
])("%j is taken", (options) => {
  expect(createFetch(options as object)).toBeInstanceOf(Function);
});

test("every error code says what it means", () => {
  for (const [code, meaning] of Object.entries(CLIENT_ERROR_CODES)) {
    expect(code).toMatch(/^ERR_AFORO_CLIENT_[A-Z_]+$/);
    expect(meaning.length).toBeGreaterThan(10);
  }
});

test("without any fetch, construction fails", () => {
  const { fetch } = globalThis;
  try {
    Object.assign(globalThis, { fetch: undefined });
    expect(refusal({}).code).toBe("ERR_AFORO_CLIENT_NO_FETCH");
  } finally {
    Object.assign(globalThis, { fetch });
  }
});

test("the global fetch is looked up at each call, so that what replaces it later is seen", async () => {
  const { fetch } = globalThis;
  const call = createFetch();
  try {
    Object.assign(globalThis, { fetch: async () => new Response("replaced") });
    expect(await (await call("http://localhost/")).text()).toBe("replaced");
  } finally {
    Object.assign(globalThis, { fetch });
  }
});
