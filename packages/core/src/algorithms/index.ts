import type { AlgorithmName } from "../domain/algorithm-name.ts";
import type { Algorithm } from "./algorithm.ts";
import { fixedWindow } from "./fixed-window.ts";
import { gcra } from "./gcra.ts";
import { leakyBucket } from "./leaky-bucket.ts";
import { slidingWindowCounter } from "./sliding-window-counter.ts";
import { slidingWindowLog } from "./sliding-window-log.ts";
import { tokenBucket } from "./token-bucket.ts";

const BY_NAME: Readonly<Record<AlgorithmName, Algorithm>> = Object.freeze({
  "fixed-window": fixedWindow,
  "sliding-window-log": slidingWindowLog,
  "sliding-window-counter": slidingWindowCounter,
  "token-bucket": tokenBucket,
  gcra,
  "leaky-bucket": leakyBucket,
});

/** The functions behind a policy's `algorithm`. */
export function algorithmOf(name: AlgorithmName): Algorithm {
  return BY_NAME[name];
}
