#!/usr/bin/env node
import { fileURLToPath } from "node:url";
import { main } from "../dist/esm/index.js";

// Whoever reads our output may have enough of it, as `head` does.
process.stdout.on("error", (error) => process.exit(error.code === "EPIPE" ? 0 : 1));

const code = await main({
  args: process.argv.slice(2),
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  root: fileURLToPath(new URL("..", import.meta.url)),
  importModule: (url) => import(url),
});

// A policy module may have opened connections that nobody closes.
process.stdout.write("", () => process.exit(code));
