/**
 * What a server under test is made with.
 * @typedef {{ limit: number, windowMs: number, client: any }} ServerContext
 */

/**
 * The frameworks, each with the variants that are compared: the bare server, one that tells callers
 * made-up figures (and one that decides beside, and tells them all the same), ours, and its usual peers.
 * @type {Record<string, readonly string[]>}
 */
export const frameworks = {
  fastify: [
    "bare",
    "made up",
    "made up, counted",
    "ours, memory",
    "ours, Redis",
    "@fastify/rate-limit, memory",
    "@fastify/rate-limit, Redis",
  ],
  koa: [
    "bare",
    "made up",
    "made up, counted",
    "ours, memory",
    "ours, Redis",
    "koa-ratelimit, memory",
    "koa-ratelimit, Redis",
  ],
  express: [
    "bare",
    "made up",
    "ours, memory",
    "ours, Redis",
    "express-rate-limit, memory",
    "rate-limiter-flexible, memory",
    "express-rate-limit, Redis",
    "rate-limiter-flexible, Redis",
  ],
  nest: ["bare", "ours, memory", "ours, Redis", "@nestjs/throttler, memory"],
};

/**
 * Starts one on a free port.
 * @param {string} framework
 * @param {string} variant
 * @param {ServerContext} context
 * @returns {Promise<import("node:http").Server>}
 */
export async function listen(framework, variant, context) {
  const module = await import(`./${framework}.js`);
  return module.listen(variant, context);
}
