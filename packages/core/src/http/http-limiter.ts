import type { MaybePromise } from "../domain/store.ts";
import type { RequestView } from "../identity/request-view.ts";
import type { Limiter } from "../limiter/limiter.ts";
import type { ClassOptions } from "./options.ts";
import type { Outcome } from "./outcome.ts";
import type { RequestHandle } from "./request-handle.ts";
import type { ResponsePort } from "./response-port.ts";

/** What a framework is like, as far as the HTTP contract must know. */
export interface FrameworkTraits {
  /** Shown in warnings, such as `"express"`. */
  readonly name: string;
  /** How this framework is told which proxies to trust; ends the warnings about them. */
  readonly proxyHint?: string;
}

/** A limiter as adapters use it. */
export interface HttpLimiter<Raw = unknown, Class extends string = string, Res = unknown> {
  readonly name: string;
  /** The limiter without a framework, for `reset`, `block`, `peek` and the like. */
  readonly limiter: Limiter<boolean, RequestView<Raw>>;
  /**
   * Decides the request: sets headers on the port, waits out a leaky bucket's delay, and says what to do next. Charges
   * once per request, however often it is called: a dearer class raises the charge, a class's own policies join.
   * Plain while nothing asynchronous is configured, else a promise. Neither throws nor rejects for anything that an
   * application function or the store does.
   *
   * @param className - as {@link requireClass} or {@link defineClass} returned it; left out, `classify` and `defaultClass` tell.
   */
  meet(view: RequestView<Raw>, port: ResponsePort<Res>, className?: string): MaybePromise<Outcome>;
  /**
   * Checks a class name once, when a route is declared.
   * @param where - how errors call the place, such as `forClass` or a route.
   * @throws ConfigError `ERR_AFORO_UNKNOWN_CLASS` with the nearest known name.
   */
  requireClass(className: unknown, where: string): Class;
  /**
   * Declares a class after construction: options written on a route. Two calls with one object give one class. Not
   * after the first request.
   * @param where - names the place in errors, such as `GET /export`; also the class and its `limit`, so it must be the same in all
   * instances.
   * @returns the name to give to {@link meet}.
   * @throws ConfigError when the options are wrong.
   */
  defineClass(options: ClassOptions<Raw>, where: string): string;
  /** What this limiter made of a request it has met. */
  handleOf(raw: Raw): RequestHandle | undefined;
  /** Idempotent. */
  close(): MaybePromise<void>;
}
