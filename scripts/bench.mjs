// Builds the packages and runs the benchmarks on what users get: npm run bench -- <arguments>.
import { bootstrap } from "./bootstrap.mjs";
import { become, must } from "./lib/run.mjs";

await bootstrap();
await must("turbo", ["run", "build", "--filter=@aforo/bench^..."], { quiet: true });
become(process.execPath, ["main.js", ...process.argv.slice(2)], { cwd: "bench" });
