import { IncomingMessage, ServerResponse } from "node:http";
import express from "express";
import Koa from "koa";
import { variants as expressVariants } from "./express.js";
import { variants as koaVariants } from "./koa.js";

/**
 * One request that no socket brought; resolves when the middleware has gone on, or has ended the response.
 * @typedef {() => unknown} Exchange
 */

/**
 * Makes requests of a framework without a server: what is measured is the middleware and nothing of HTTP.
 * @param {string} framework
 * @param {string} variant
 * @param {import("./index.js").ServerContext} context
 * @returns {(address: string) => Exchange}
 */
export function mocked(framework, variant, context) {
  return framework === "koa" ? koa(variant, context) : expressApp(variant, context);
}

/**
 * @param {string} variant
 * @param {import("./index.js").ServerContext} context
 * @returns {(address: string) => Exchange}
 */
function expressApp(variant, context) {
  const app = express();
  const middleware = /** @type {Function} */ (expressVariants[variant]?.(context));
  return (address) => {
    const { request, response } = exchange(address);
    Object.setPrototypeOf(request, app.request);
    Object.setPrototypeOf(response, app.response);
    Object.assign(request, { res: response, next: undefined });
    Object.assign(response, { req: request });
    return () =>
      new Promise((resolve) => {
        response.end = ended(resolve);
        middleware(request, response, resolve);
      });
  };
}

/**
 * @param {string} variant
 * @param {import("./index.js").ServerContext} context
 * @returns {(address: string) => Exchange}
 */
function koa(variant, context) {
  const app = new Koa();
  const middleware = /** @type {Function} */ (koaVariants[variant]?.(context));
  return (address) => {
    const { request, response } = exchange(address);
    const ctx = app.createContext(request, response);
    return () => middleware(ctx, async () => {});
  };
}

/** @param {string} address */
function exchange(address) {
  const socket = /** @type {any} */ ({
    remoteAddress: address,
    on() {},
    once() {},
    removeListener() {},
    writable: true,
  });
  const request = new IncomingMessage(socket);
  Object.assign(request, { method: "GET", url: "/", httpVersionMajor: 1, httpVersionMinor: 1, complete: true });
  request.headers = { host: "127.0.0.1", accept: "*/*" };
  return { request, response: new ServerResponse(request) };
}

/**
 * @param {(value?: unknown) => void} resolve
 * @returns {any}
 */
function ended(resolve) {
  return () => resolve();
}
