export { describeAdapterContract } from "./adapter/index.ts";
export { manualClock, type ManualClock } from "@aforo/core/testing";
export { Client, quota, tally, type Answer, type Pending, type Sent } from "./adapter/client.ts";
export type {
  Abilities,
  AppSpec,
  Call,
  EarlyCall,
  LimitOptions,
  Mount,
  Mounted,
  Reply,
  RouteSpec,
} from "./adapter/app-spec.ts";
export { earlyInTheMinute } from "./early-in-the-minute.ts";
export { undisturbed } from "./undisturbed.ts";
export { startProgram, type Program } from "./program.ts";
export { curl, type Curled } from "./curl.ts";
export { describeReadme } from "./readme-stories.ts";
export { describeExample } from "./example-stories.ts";
