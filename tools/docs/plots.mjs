// Draws docs/plots/algorithms.svg from the command that docs/algorithms.md shows; with --check tells whether it is current.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as echarts from "echarts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const FILE = join(ROOT, "docs", "plots", "algorithms.svg");
/** Length of a bar in ms. */
const BAR = 500;
/** Grey enough for light and dark pages alike. */
const INK = "#7d8590";

const svg = draw(simulated());
if (!process.argv.includes("--check")) {
  mkdirSync(join(FILE, ".."), { recursive: true });
  writeFileSync(FILE, svg);
} else if (svg !== current()) {
  console.error("docs/plots is not what its command gives; run npm run docs:plots");
  process.exitCode = 1;
}

/** What the page's own command finds out. */
function simulated() {
  const page = readFileSync(join(ROOT, "docs", "algorithms.md"), "utf8");
  const command = /^npx aforo (simulate .+)$/m.exec(page.replaceAll(/\\\n\s*/g, ""))?.[1];
  if (command === undefined) throw new Error("docs/algorithms.md shows no command that simulates traffic");
  const program = [join(ROOT, "packages/testkit/run-sources.mjs"), join(ROOT, "packages/cli/bin/aforo.js")];
  const output = execFileSync(process.execPath, ["--import", ...program, ...command.split(" "), "--json"]);
  return JSON.parse(output.toString()).scenarios;
}

function current() {
  try {
    return readFileSync(FILE, "utf8");
  } catch {
    return "";
  }
}

/** A row of bars for each algorithm: what came, cut in what was admitted and what was rejected. */
function draw(scenarios) {
  const rows = scenarios.filter(({ policies }) => policies[0].algorithm !== "gcra");
  const height = 110;
  const chart = echarts.init(null, null, { renderer: "svg", ssr: true, width: 900, height: 50 + rows.length * height });
  const titles = rows.map(({ policies: [{ algorithm }], admitted, rejected }, row) => ({
    text: `${algorithm === "token-bucket" ? "token-bucket, gcra" : algorithm}: ${admitted} admitted, ${rejected} rejected`,
    left: 40,
    top: 34 + row * height,
    textStyle: { fontSize: 13, color: INK },
  }));
  chart.setOption({
    animation: false,
    backgroundColor: "transparent",
    color: ["#2f81f7", "#d29922"],
    title: titles,
    legend: { top: 4, textStyle: { color: INK } },
    grid: rows.map((_, row) => ({ left: 40, right: 20, top: 58 + row * height, height: height - 48 })),
    xAxis: rows.map((_, row) => ({
      type: "value",
      gridIndex: row,
      min: 0,
      max: seconds(rows[row].timeline),
      splitLine: { show: false },
      axisLabel: { formatter: "{value} s", color: INK, show: row === rows.length - 1 },
    })),
    yAxis: rows.map((_, row) => ({
      type: "value",
      gridIndex: row,
      max: 30,
      interval: 10,
      axisLabel: { color: INK },
      splitLine: { lineStyle: { color: INK, opacity: 0.25 } },
    })),
    series: rows.flatMap(({ timeline }, row) => {
      const bars = barsOf(timeline);
      const series = (name, count) => ({
        name,
        type: "bar",
        stack: String(row),
        silent: true,
        emphasis: { disabled: true },
        xAxisIndex: row,
        yAxisIndex: row,
        barWidth: 12,
        data: bars.map((bar, index) => [((index + 0.5) * BAR) / 1_000, count(bar)]),
      });
      return [series("admitted", (bar) => bar.requests - bar.rejected), series("rejected", (bar) => bar.rejected)];
    }),
  });
  const drawn = chart.renderToSVGString();
  chart.dispose();
  return `${drawn}\n`;
}

function barsOf({ slot, requests, rejected }) {
  const bars = [];
  for (const [index, count] of requests.entries()) {
    const bar = (bars[Math.floor((index * slot) / BAR)] ??= { requests: 0, rejected: 0 });
    bar.requests += count;
    bar.rejected += rejected[index];
  }
  return bars;
}

function seconds({ slot, requests }) {
  return Math.ceil((slot * requests.length) / 1_000);
}
