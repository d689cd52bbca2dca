import { bootstrap } from "./bootstrap.mjs";
import { must } from "./lib/run.mjs";

await bootstrap();
await must("turbo", ["run", "build"]);
