const adapter = (name, mutations) => ({
  // Not those of outages, which take long and hold the core.
  tests: [`packages/${name}/test/[a-z-]+\\.test`],
  mutations: mutations.map(([file, from, to]) => ({ file: `packages/${name}/src/${file}`, from, to })),
});

export const express = adapter("express", [
  ["rate-limit.ts", `if (outcome.action === "stop") return;`, ""],
  ["rate-limit.ts", "shareHandle(req);", ""],
  ["rate-limit.ts", "if (rejection.thrown) return next(rejection.error);", ""],
  ["rate-limit.ts", "res.statusCode = rejection.status;", ""],
  ["rate-limit.ts", "res.end(rejection.body);", "res.end();"],
  ["rate-limit.ts", 'http.requireClass(className, "forClass")', "className"],
  ["rate-limit.ts", "http.meet(exchange, exchange, className)", "http.meet(exchange, exchange, undefined)"],
  ["exchange.ts", "this.raw.baseUrl.toLowerCase() + ", ""],
  ["exchange.ts", ".toLowerCase()", ""],
  ["exchange.ts", `trust === true ? "all" : trust ? "some" : "none"`, `trust ? "some" : "none"`],
]);

export const fastify = adapter("fastify", [
  ["hook.ts", "if (!plan.limited) return done();", ""],
  ["hook.ts", `if (outcome.action === "stop") return;`, ""],
  ["hook.ts", "if (rejection.thrown) return done(rejection.error);", ""],
  [
    "hook.ts",
    "reply.code(rejection.status).send(payloadOf(rejection));",
    "reply.code(rejection.status).send(rejection.body);",
  ],
  ["hook.ts", "http.meet(exchange, exchange, plan.className)", "http.meet(exchange, exchange, undefined)"],
  ["plugin.ts", `fastify.addHook("onClose", () => http.close());`, ""],
  ["plugin.ts", "if (fastify.initialConfig.http2 !== true) answerContinue(fastify.server);", ""],
  [
    "plugin.ts",
    `return { limited: global, className: undefined };\n  if (config === false)`,
    `return { limited: true, className: undefined };\n  if (config === false)`,
  ],
  ["plugin.ts", "if (config === false) return { limited: false, className: undefined };", ""],
  ["plugin.ts", `method === "HEAD" ? "GET" : String(method)`, "String(method)"],
  ["plugin.ts", "for (const check of checks) check();", ""],
  ["plugin.ts", "if (inherited !== undefined && Object.hasOwn(fastify, as)) return inherited;", ""],
  ["scope.ts", "...(this.#around === undefined ? [] : this.#around.#inner())", ""],
  ["scope.ts", "this.#own.unshift(http);", "this.#own.push(http);"],
]);

export const koa = adapter("koa", [
  ["rate-limit.ts", "if (handle !== undefined) ctx.state.rateLimit = handle;", ""],
  ["rate-limit.ts", "ctx.respond = false;", ""],
  ["rate-limit.ts", "if (rejection.thrown) throw rejection.error;", ""],
  ["rate-limit.ts", "ctx.status = rejection.status;", ""],
  [
    "rate-limit.ts",
    `typeof rejection.body === "string" ? rejection.body : Buffer.from(rejection.body)`,
    `String(rejection.body)`,
  ],
  ["rate-limit.ts", 'http.requireClass(className, "forClass")', "className"],
  ["rate-limit.ts", "http.meet(exchange, exchange, className)", "http.meet(exchange, exchange, undefined)"],
  ["exchange.ts", "layer.methods.includes(this.method)", "true"],
  ["exchange.ts", `if (!proxy) return "none";`, ""],
  ["exchange.ts", `maxIpsCount > 0 ? "some" : "all"`, `"some"`],
  ["exchange.ts", 'return (this.raw.state as { readonly user?: RequestView["user"] }).user;', "return undefined;"],
]);

export const nestjs = adapter("nestjs", [
  ["guard.ts", `if (context.getType() !== "http") return true;`, ""],
  ["guard.ts", "if (rule === null) return true;", ""],
  ["guard.ts", "this.#http.meet(exchange, exchange, rule)", "this.#http.meet(exchange, exchange, undefined)"],
  ["guard.ts", "shareHandle(request);", ""],
  [
    "guard.ts",
    `if (outcome.action === "reject") throw`,
    `if (outcome.action === "reject" && outcome.rejection.thrown) throw`,
  ],
  ["guard.ts", `if (outcome.action === "stop") throw new SettledException();`, ""],
  [
    "guard.ts",
    "rejection.thrown ? new RateLimitException(rejection) : new AnsweredException(rejection)",
    "new RateLimitException(rejection)",
  ],
  ["module.ts", "await this.#http.close();", ""],
  ["module.ts", "{ provide: APP_FILTER, useClass: RejectionFilter },", ""],
]);
