// Builds what the example API needs and becomes it: its port (PORT), its signals, its exit code.
import { bootstrap } from "./bootstrap.mjs";
import { become, must } from "./lib/run.mjs";

await bootstrap();
await must("turbo", ["run", "build", "--filter=@aforo/example-express^..."], { quiet: true });
become(process.execPath, ["server.js"], { cwd: "examples/express" });
