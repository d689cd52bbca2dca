import { limit } from "./serve.ts";

test("a request that a leaky bucket would hold for too long is told one moment to come back at, and what remains without it", async () => {
  const subject = limit({ limit: "60/minute", algorithm: "leaky-bucket", maxDelayMs: 1_000 });
  void subject.get();
  void subject.get();
  const refused = await subject.get();
  expect(refused.status).toBe(429);
  const now = Math.floor(subject.clock() / 1_000);
  const reset = Number(refused.header("x-ratelimit-reset")) - now;
  // Design, section 5: when rejected, Reset is the moment of Retry-After; the charge was given back.
  expect([reset, refused.header("x-ratelimit-remaining")]).toEqual([Number(refused.header("retry-after")), "58"]);
  // Whoever is held back yet goes on, and no timer is left.
  await subject.http.close();
});
