// Puts the report on the page.
import { comparePlan, peaksPlan, timePlan } from "./plans.js";
import { drawPlot, seriesColor } from "./plot.js";
import { burstRows, callerTable, policyRows, trafficRows } from "./tables.js";
import { count, counted, duration, element, moment, oneWindow } from "./words.js";
const report = JSON.parse(document.getElementById("report").textContent);
const { source, scenarios } = report;
const at = (id) => document.getElementById(id);
let chosen = scenarios[0];

at("kind").textContent = report.kind === "replay" ? "Aforo replay" : "Aforo simulation";
at("title").textContent = source.names.join(", ");
document.title = `Aforo: ${source.names.join(", ")}`;
const span =
  source.requests === 0
    ? ""
    : ` From ${moment(source.from)} to ${moment(source.to)} UTC, ${duration(source.to - source.from)}.`;
const open = scenarios.some(({ requests }) => requests !== source.requests);
at("facts").textContent =
  `${open ? "Made-up clients" : counted(source.requests, "request")} by ${counted(source.callers, "caller")} (${source.key}).${span}`;
at("notes").replaceChildren(...notes());
at("policies-hint").hidden = scenarios.length < 2;
at("policy-table").replaceChildren(...policyRows(scenarios, choose));
at("bursts-hint").textContent =
  "The most that one caller got within one window's length, wherever that begins. The dashed line is the limit.";
at("bursts").replaceChildren(...burstRows(scenarios));
at("compare").hidden = scenarios.length < 2;

const showCallers = callerTable(at("caller-table"), at("caller-filter"), at("caller-count"));
const redraw = [
  drawPlot(at("time-plot"), (width) => timePlan(chosen, width)),
  drawPlot(at("peaks-plot"), () => peaksPlan(chosen)),
];
if (scenarios.length > 1) drawPlot(at("compare-plot"), (width) => comparePlan(scenarios, width));
paint();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);
choose(0);

function choose(index) {
  chosen = scenarios[index];
  for (const [place, row] of [...at("policy-table").tBodies[0].rows].entries())
    row.className = place === index ? "on" : "";
  for (const line of document.querySelectorAll(".chosen")) line.textContent = scenarios.length > 1 ? chosen.label : "";
  at("traffic").hidden = (chosen.traffic ?? []).length < 2;
  at("traffic-table").replaceChildren(...trafficRows(chosen));
  at("peaks-hint").textContent = peaksHint();
  for (const draw of redraw) draw();
  showCallers(chosen);
}

function peaksHint() {
  const { asked, window } = chosen;
  return `In ${oneWindow(window)} half of the callers asked for at most ${count(asked.median)}, 99 % for at most ${count(asked.p99)}, 99.9 % for at most ${count(asked.p999)}; the most was ${count(asked.max)}. Callers right of the limit asked for more than it.`;
}

/** Swatches and bars have the colours of the plots. */
function paint() {
  for (const each of document.querySelectorAll("[data-series]"))
    each.style.background = seriesColor(Number(each.dataset.series));
}

function notes() {
  const { log } = source;
  if (log === undefined) return [];
  const made = [];
  if (log.badLines > 0) {
    const lines = log.firstBadLines.map(({ file, line, reason, text }) =>
      element("li", {}, `${file}:${line}: ${reason}: `, element("code", {}, text)),
    );
    made.push(
      element(
        "details",
        {},
        element("summary", {}, `${counted(log.badLines, "line")} of ${count(log.lines)} could not be read`),
        element("ol", {}, ...lines),
      ),
    );
  }
  if (log.late > 0)
    made.push(
      element(
        "p",
        { className: "hint" },
        `${counted(log.late, "line")} came too late to be put in order (up to ${duration(log.latestMs)}) and counted at the newest time before them.`,
      ),
    );
  if (log.wholeSeconds && !log.spread)
    made.push(
      element("p", { className: "hint" }, "Every stamp is a whole second: requests of one second count as one burst."),
    );
  if (scenarios.some(({ peaksExact }) => !peaksExact))
    made.push(
      element(
        "p",
        { className: "hint" },
        "One window holds more requests than are remembered: peaks of callers are at least what is told.",
      ),
    );
  return made;
}
