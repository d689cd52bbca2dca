// Breaks real Redis servers under load and prints what each failure policy makes of it.
import { bootstrap } from "./bootstrap.mjs";
import { requireRedisServer } from "./lib/redis-server.mjs";
import { run } from "./lib/run.mjs";

await bootstrap();
await requireRedisServer();
const { code } = await run("jest", ["packages/express/test/outages/outages", "-i", "--selectProjects", "aforo"]);
process.exitCode = code;
