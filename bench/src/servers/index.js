/**
 * What a server under test is made with.
 * @typedef {{ limit: number, windowMs: number, client: any }} ServerContext
 */

/**
 * The frameworks, each with the variants that are compared: the bare server, ours, and its usual peers.
 * @type {Record<string, readonly string[]>}
 */
export const frameworks = {
  fastify: ["bare", "ours, memory", "ours, Redis", "@fastify/rate-limit, memory", "@fastify/rate-limit, Redis"],
  koa: ["bare", "ours, memory", "ours, Redis", "koa-ratelimit, memory", "koa-ratelimit, Redis"],
  express: [
    "bare",
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
