import { execFileSync } from "node:child_process";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";

/** What the figures were measured on. */
export function machine() {
  const [load = 0] = loadavg();
  return [
    `machine  ${cpus()[0]?.model.trim() ?? "unknown CPU"}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform} ${process.arch}`,
    `Node     ${process.version}, V8 ${process.versions.v8}`,
    `Redis    ${redisVersion()}`,
    `load     ${load.toFixed(2)} before the start (1 minute), ${new Date().toISOString().slice(0, 10)}`,
  ].join("\n");
}

function redisVersion() {
  try {
    return /v=([\d.]+)/.exec(execFileSync("redis-server", ["--version"], { encoding: "utf8" }))?.[1] ?? "unknown";
  } catch {
    return "not there";
  }
}
