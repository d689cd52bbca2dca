import { mocked } from "./src/servers/mocked.js";
import inspector from "node:inspector";
const [, , fw, lim] = process.argv;
const make = mocked(fw, "ours, memory", { limit: +lim, windowMs: 3600000 });
let ex;
const run = async (n) => {
  for (let b = 0; b < n; b++) {
    ex = Array.from({ length: 2000 }, (_, i) => make("10.0." + (i >> 8) + "." + (i & 255)));
    for (const e of ex) await e();
  }
};
await run(60);
const s = new inspector.Session();
s.connect();
const post = (m, p) => new Promise((r, j) => s.post(m, p, (e, x) => (e ? j(e) : r(x))));
await post("Profiler.enable");
await post("Profiler.setSamplingInterval", { interval: 200 });
let cpu = 0;
await post("Profiler.start");
for (let b = 0; b < 60; b++) {
  ex = Array.from({ length: 2000 }, (_, i) => make("10.0." + (i >> 8) + "." + (i & 255)));
  const c = process.cpuUsage();
  for (const e of ex) await e();
  const d = process.cpuUsage(c);
  cpu += d.user + d.system;
}
const { profile: p } = await post("Profiler.stop");
console.log("us per request", cpu / 60 / 2000);
const self = {},
  by = {};
for (const n of p.nodes) by[n.id] = n;
p.samples.forEach((x, i) => {
  const n = by[x];
  const k =
    n.callFrame.functionName + " " + n.callFrame.url.split("/").slice(-3).join("/") + ":" + n.callFrame.lineNumber;
  self[k] = (self[k] || 0) + p.timeDeltas[i];
});
const tot = Object.values(self).reduce((a, b) => a + b);
for (const [k, v] of Object.entries(self)
  .sort((a, b) => b[1] - a[1])
  .slice(0, 28))
  console.log((v / 120000).toFixed(2).padStart(6) + "us", ((100 * v) / tot).toFixed(1) + "%", k);
