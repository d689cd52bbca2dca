// Plays the same stories on this limiter and on its peers: npm run compare -- <arguments>.
import { bootstrap } from "./bootstrap.mjs";
import { requireRedisServer } from "./lib/redis-server.mjs";
import { become } from "./lib/run.mjs";

await bootstrap();
await requireRedisServer();
become(
  process.execPath,
  ["--no-warnings", "--import", "../../packages/testkit/run-sources.mjs", "src/main.ts", ...process.argv.slice(2)],
  {
    cwd: "tools/compare",
  },
);
