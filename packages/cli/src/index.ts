export type { Host } from "./host.ts";
export { main } from "./main.ts";
export type { ImportModule } from "./policy/policy-file.ts";
