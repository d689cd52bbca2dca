import type { ClassOptions, HttpLimiter, HttpPolicy } from "@aforo/core/adapter";
import { Inject, Injectable, type OnModuleInit, type Type } from "@nestjs/common";
import { DiscoveryService, MetadataScanner } from "@nestjs/core";
import { ROUTE_LIMIT, type RouteRule } from "./decorators.ts";
import type { NestRequest, RouteLimit } from "./options.ts";
import { HTTP_LIMITER } from "./tokens.ts";

type Target = object;

/** What the decorators of all routes come to; read once, when the application starts, so that a wrong one stops it. */
export class RouteClasses implements OnModuleInit {
  static {
    Injectable()(this);
    Inject(HTTP_LIMITER)(this, undefined, 0);
    Inject(DiscoveryService)(this, undefined, 1);
    Inject(MetadataScanner)(this, undefined, 2);
  }

  readonly #http: HttpLimiter<NestRequest>;
  readonly #discovery: DiscoveryService;
  readonly #scanner: MetadataScanner;
  /** By decorated method or controller: a class, or `null` for a skip. */
  readonly #rules = new Map<Target, string | null>();

  constructor(http: HttpLimiter<NestRequest>, discovery: DiscoveryService, scanner: MetadataScanner) {
    this.#http = http;
    this.#discovery = discovery;
    this.#scanner = scanner;
  }

  /** @throws ConfigError naming the controller and method. */
  onModuleInit(): void {
    for (const { metatype, instance } of this.#discovery.getControllers()) {
      if (typeof metatype !== "function" || typeof instance !== "object" || instance === null) continue;
      this.#read(metatype, metatype.name);
      const prototype = Object.getPrototypeOf(instance) as Record<string, Target>;
      for (const method of this.#scanner.getAllMethodNames(prototype)) {
        const handler = prototype[method];
        if (handler !== undefined) this.#read(handler, `${metatype.name}.${method}`);
      }
    }
  }

  /** The class of a route, `null` for a skip, or `undefined` where no decorator says anything. */
  of(handler: Target, controller: Type): string | null | undefined {
    return this.#rules.has(handler) ? this.#rules.get(handler) : this.#rules.get(controller);
  }

  #read(target: Target, where: string): void {
    const rule = Reflect.getMetadata(ROUTE_LIMIT, target) as RouteRule | undefined;
    if (rule === undefined) return;
    this.#rules.set(target, "skip" in rule ? null : this.#classOf(rule.limit, where));
  }

  #classOf(limit: RouteLimit, where: string): string {
    if (typeof limit === "string") return this.#http.requireClass(limit, `@RateLimit() of ${where}`);
    return this.#http.defineClass(classOptions(limit), where);
  }
}

/** A policy has a name; what has none is a class in full. */
function classOptions(limit: Exclude<RouteLimit, string>): ClassOptions<NestRequest> {
  if (Array.isArray(limit)) return { policies: limit as readonly HttpPolicy<NestRequest>[] };
  return "name" in limit ? { policies: [limit] } : (limit as ClassOptions<NestRequest>);
}
