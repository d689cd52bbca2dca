import type { Algorithm } from "./algorithm.ts";
import { bucket } from "./bucket.ts";
import { noDelay } from "./window.ts";

/**
 * A bucket of `burst` units that starts full and refills continuously: any interval of T ms admits at
 * most `burst + T * limit / window` units.
 *
 * Twin of `redis/token-bucket.lua`.
 */
export const tokenBucket: Algorithm = Object.freeze({ ...bucket, delayMs: noDelay });
