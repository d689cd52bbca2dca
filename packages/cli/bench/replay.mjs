// Writes a combined log and replays it with the built program: node bench/replay.mjs [--lines 10000000]
// [--callers 1000000] [--algorithm sliding-window-counter] [--scattered] [--keep]. Tells lines per second and peak memory.
import { spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    lines: { type: "string", default: "10000000" },
    callers: { type: "string", default: "1000000" },
    algorithm: { type: "string", default: "sliding-window-counter" },
    scattered: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
  },
});
const [lines, callers] = [Number(values.lines), Number(values.callers)];
const folder = mkdtempSync(join(tmpdir(), "aforo-bench-"));
const file = join(folder, "access.log");
process.on("exit", () => values.keep || rmSync(folder, { recursive: true, force: true }));

const visits = Array.from({ length: 5_000 }, () => 0);
let arrived = 100;

writeLog(file);
console.log(
  `${lines} lines, ${callers} callers, ${Math.round(statSync(file).size / 1e6)} MB${values.keep ? `: ${file}` : ""}`,
);
const { seconds, cpu, rss } = await replay(file);
console.log(
  `${values.algorithm}: ${seconds.toFixed(1)} s, ${count(lines / seconds)} lines/s; ` +
    `${cpu.toFixed(1)} s of CPU, ${count(lines / cpu)} lines per CPU second; peak ${rss.toFixed(0)} MB`,
);

/**
 * A day of requests. Callers come for a visit of some requests within minutes, as people do, and in the end all of them
 * have come; one request in fifty is by one of a hundred robots that stay all day. With --scattered nobody visits: each
 * request is by anybody, which is the worst that can happen to caches.
 */
function writeLog(path) {
  const [fd, start] = [openSync(path, "w"), Date.UTC(2026, 10, 24)];
  const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
  let [state, text, second, stamp] = [42, "", -1, ""];
  const random = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  for (let i = 0; i < lines; i++) {
    const now = Math.floor((i / lines) * 86_400);
    if (now !== second) {
      const date = new Date(start + (second = now) * 1_000);
      const clock = date.toISOString().slice(11, 19);
      stamp = `${String(date.getUTCDate()).padStart(2, "0")}/${months[date.getUTCMonth()]}/${date.getUTCFullYear()}:${clock} +0000`;
    }
    const caller = nextCaller(i, random);
    text +=
      `${10 + (caller >>> 24)}.${(caller >>> 16) & 255}.${(caller >>> 8) & 255}.${caller & 255} - - [${stamp}] ` +
      `"GET /api/v1/items/${Math.floor(random() * 1e5)}?page=2 HTTP/1.1" ${random() < 0.97 ? 200 : 404} ${Math.floor(random() * 5e4)} ` +
      `"https://example.com/catalogue" "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36"\n`;
    if (text.length > 1 << 20) {
      writeSync(fd, text);
      text = "";
    }
  }
  writeSync(fd, text);
  closeSync(fd);
}

function nextCaller(line, random) {
  if (values.scattered) return Math.floor(callers * random());
  if (random() < 0.02) return Math.floor(100 * random());
  const place = Math.floor(visits.length * random());
  // As many new callers as it takes for all of them to come.
  if (visits[place] === 0 || (arrived < callers && arrived * lines < line * callers))
    visits[place] = arrived++ % callers;
  return visits[place];
}

function replay(path) {
  const bin = fileURLToPath(new URL("../bin/aforo.js", import.meta.url));
  const args = ["replay", path, "--limit", "100/minute", "--algorithm", values.algorithm, "--top", "3"];
  const child = spawn(process.execPath, ["--import", new URL("usage.mjs", import.meta.url).href, bin, ...args], {
    stdio: ["ignore", "inherit", "pipe"],
  });
  let told = "";
  child.stderr.on("data", (data) => (told += data));
  return new Promise((resolve, reject) => {
    child.on("close", (code) => {
      const usage = /^usage (.*)$/m.exec(told);
      if (code === 0 && usage !== null) resolve(JSON.parse(usage[1]));
      else reject(new Error(`the replay ended with ${code}: ${told}\nBuild it first: npm run build`));
    });
  });
}

function count(value) {
  return Math.round(value).toLocaleString("en-US");
}
