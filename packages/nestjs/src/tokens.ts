/** The limiter of the module, as a provider; inject it to `reset`, `block` or `peek` by hand. */
export const RATE_LIMITER: symbol = Symbol("aforo.limiter");

/** The limiter as the guard uses it. */
export const HTTP_LIMITER: symbol = Symbol("aforo.http");

/** Options of the module. */
export const OPTIONS: symbol = Symbol("aforo.options");
