import fc from "fast-check";
import {
  parseHttpDate,
  parseRateLimit,
  parseRateLimitPolicy,
  parseRateLimitReset,
  parseRetryAfter,
  readQuotas,
} from "../src/index.ts";
import { scripted } from "./support/scripted.ts";
import { EPOCH } from "./support/virtual-time.ts";

/** Visible text of the kinds that servers send, and of kinds that they should not. */
const headerText = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'0123456789.,;=:" -+eExtrqwpkalimtnsGMT?@()*'.split("")) }),
  fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCodePoint(code)) }),
  fc.double().map(String),
  fc.integer().map(String),
  fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(1e13) }).map((date) => date.toUTCString()),
  fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(1e13) }).map((date) => date.toISOString()),
  fc.tuple(fc.nat(), fc.nat()).map(([r, t]) => `"p";r=${r};t=${t}`),
  fc.constantFrom("NaN", "Infinity", "-Infinity", "0", "-0", "null", "undefined", "soon", "12abc", "Wed, 99 Foo 2026"),
);

const isWait = (ms: number | undefined): boolean => ms === undefined || (Number.isFinite(ms) && ms >= 0);

test("no header text makes a parser throw or give anything but a wait", () => {
  fc.assert(
    fc.property(headerText, fc.integer({ min: 0, max: 1e13 }), (text, now) => {
      expect([parseRetryAfter(text, now), parseRateLimitReset(text, now)].every(isWait)).toBe(true);
      expect(Number.isNaN(parseHttpDate(text, now))).toBe(false);
      for (const { remaining, resetMs } of parseRateLimit(text)) expect(remaining >= 0 && isWait(resetMs)).toBe(true);
      for (const { limit, windowMs } of parseRateLimitPolicy(text)) expect(limit >= 0 && isWait(windowMs)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test("a number of seconds is never undercut", () => {
  fc.assert(
    fc.property(fc.nat({ max: 1e9 }), fc.array(fc.nat({ max: 9 }), { maxLength: 12 }), (whole, digits) => {
      const text = digits.length === 0 ? String(whole) : `${whole}.${digits.join("")}`;
      const ms = parseRetryAfter(text, 0)!;
      expect(ms).toBeGreaterThanOrEqual(Math.floor(Number(text) * 1000));
      expect(ms).toBeLessThanOrEqual(Number(text) * 1000 + 1);
    }),
  );
});

test("every date that a server can write is read back", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 253_402_300_799 }), (seconds) => {
      expect(parseHttpDate(new Date(seconds * 1000).toUTCString(), EPOCH)).toBe(seconds * 1000);
    }),
  );
});

const NAMES = [
  "retry-after",
  "date",
  "age",
  "ratelimit",
  "ratelimit-policy",
  "ratelimit-reset",
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
];

test("whatever headers come with whatever status, waits are between the base and the cap, and requests are counted", async () => {
  const header = fc.tuple(fc.constantFrom(...NAMES), headerText);
  const answer = fc.tuple(fc.constantFrom(200, 429, 429, 429, 500, 503), fc.array(header, { maxLength: 5 }));
  await fc.assert(
    fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 6 }), fc.boolean(), async (answers, pace) => {
      const steps = answers.map(([status, headers]) => [status, Object.fromEntries(headers)] as const);
      const { fetch, time, requestedAt, retries, waits } = scripted(steps, {
        baseDelayMs: 100,
        maxDelayMs: 60_000,
        deadlineMs: Infinity,
        maxRetries: 3,
        retryOn: [500, 503],
        pace,
      });
      const response = await time.run(fetch("http://localhost/"));
      expect(response.status).toBe(steps[Math.min(requestedAt.length, steps.length) - 1]![0]);
      expect(requestedAt.length).toBeLessThanOrEqual(4);
      for (const { waitMs } of retries) expect(waitMs >= 100 && waitMs <= 60_000).toBe(true);
      for (const wait of waits()) expect(wait).toBeGreaterThanOrEqual(99.999);
      expect(time.sleeping).toBe(0);
    }),
    { numRuns: 150 },
  );
});

test("readQuotas takes any headers", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(...NAMES), headerText), { maxLength: 9 }), (headers) => {
      for (const { remaining, resetMs } of readQuotas(new Headers(headers), EPOCH))
        expect(remaining >= 0 && isWait(resetMs)).toBe(true);
    }),
  );
});
