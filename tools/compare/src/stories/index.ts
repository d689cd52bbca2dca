import type { Story } from "../story.ts";
import { attackSparesRedis } from "./attack-spares-redis.ts";
import { badCost } from "./bad-cost.ts";
import { boundaryBurst } from "./boundary-burst.ts";
import { cacheableRejection } from "./cacheable-rejection.ts";
import { concurrent } from "./concurrent.ts";
import { costAboveLimit } from "./cost-above-limit.ts";
import { deniedCost } from "./denied-cost.ts";
import { dryRun } from "./dry-run.ts";
import { edgeRuntime } from "./edge-runtime.ts";
import { failedAreFree } from "./failed-are-free.ts";
import { fullMemory } from "./full-memory.ts";
import { headersOnRejection } from "./headers-on-rejection.ts";
import { ietfFields } from "./ietf-fields.ts";
import { ipv4Mapped } from "./ipv4-mapped.ts";
import { ipv6Rotation } from "./ipv6-rotation.ts";
import { lateRefund } from "./late-refund.ts";
import { longWindow } from "./long-window.ts";
import { longerBlock } from "./longer-block.ts";
import { lostTtl } from "./lost-ttl.ts";
import { memoryEqualsRedis } from "./memory-equals-redis.ts";
import { multiLimitDrain } from "./multi-limit-drain.ts";
import { otherDatabases } from "./other-databases.ts";
import { plans } from "./plans.ts";
import { redisDown } from "./redis-down.ts";
import { redisDownStillLimits } from "./redis-down-still-limits.ts";
import { redisHangs } from "./redis-hangs.ts";
import { redisRestart } from "./redis-restart.ts";
import { resetByHand } from "./reset-by-hand.ts";
import { retryAfterTruth } from "./retry-after-truth.ts";
import { retryAfterWhole } from "./retry-after-whole.ts";
import { retryLoop } from "./retry-loop.ts";
import { scriptFlush } from "./script-flush.ts";
import { severalInstances } from "./several-instances.ts";
import { shortWindow } from "./short-window.ts";
import { spaced } from "./spaced.ts";
import { twoLimitsHeaders } from "./two-limits-headers.ts";
import { unknownOption } from "./unknown-option.ts";

/** In the order of the table. */
export const STORIES: readonly Story[] = [
  multiLimitDrain,
  twoLimitsHeaders,
  deniedCost,
  costAboveLimit,
  badCost,
  retryLoop,
  retryAfterTruth,
  retryAfterWhole,
  headersOnRejection,
  cacheableRejection,
  ietfFields,
  boundaryBurst,
  concurrent,
  severalInstances,
  memoryEqualsRedis,
  redisHangs,
  redisDown,
  redisDownStillLimits,
  redisRestart,
  scriptFlush,
  lostTtl,
  attackSparesRedis,
  fullMemory,
  ipv6Rotation,
  ipv4Mapped,
  failedAreFree,
  lateRefund,
  shortWindow,
  longWindow,
  unknownOption,
  plans,
  resetByHand,
  dryRun,
  spaced,
  longerBlock,
  otherDatabases,
  edgeRuntime,
];
