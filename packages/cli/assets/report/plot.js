// Plots by uPlot, in the colours of the page, with a readout for keyboards and screen readers.
/* global uPlot */
import { element, short } from "./words.js";

export function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

export function seriesColor(index) {
  const colors = color("--series").split(",");
  return colors[index % colors.length].trim();
}

/**
 * Draws into a container, and again when the width or the colours change.
 *
 * @param plan makes { data, series, scales, axes, hooks, describe, label } anew each time, for a width; `series` without the one for x
 */
export function drawPlot(container, plan) {
  let plot;
  const readout = element("p", { className: "readout", role: "status", "aria-live": "polite" });
  const keys = element("ul", { className: "keys" });
  const canvas = element("div", { tabIndex: 0, role: "img" });
  container.replaceChildren(canvas, keys, readout);

  function draw() {
    const { data, series, label, describe, ...rest } = plan(container.clientWidth);
    plot?.destroy();
    canvas.setAttribute("aria-label", `${label} Arrow keys move through the plot.`);
    keys.replaceChildren(
      ...series.map((each) =>
        element("li", {}, element("span", { className: "swatch", style: `background:${each.stroke}` }), each.label),
      ),
    );
    plot = new uPlot(
      {
        width: container.clientWidth,
        height: container.clientWidth < 600 ? 230 : 290,
        legend: { show: false },
        cursor: { y: false, drag: { x: true, y: false, setScale: rest.zoom !== false } },
        series: [{}, ...series],
        ...rest,
        hooks: {
          ...rest.hooks,
          setCursor: [
            ({ cursor }) => (readout.textContent = typeof cursor.idx === "number" ? describe(cursor.idx) : ""),
          ],
        },
      },
      data,
      canvas,
    );
  }

  function step(event) {
    const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
    if (!(event.key in steps)) return;
    event.preventDefault();
    const last = plot.data[0].length - 1;
    const index = Math.min(
      last,
      Math.max(0, (plot.cursor.idx ?? (steps[event.key] > 0 ? -1 : last + 1)) + steps[event.key]),
    );
    plot.setCursor({ left: plot.valToPos(plot.data[0][index], "x"), top: plot.over.clientHeight / 2 });
  }

  draw();
  canvas.addEventListener("keydown", step);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  let width = container.clientWidth;
  new ResizeObserver(() => {
    if (container.clientWidth === width) return;
    width = container.clientWidth;
    draw();
  }).observe(container);
  return draw;
}

export function axis(more) {
  return {
    stroke: color("--soft"),
    font: "12px system-ui, sans-serif",
    grid: { stroke: color("--line"), width: 1 },
    ticks: { stroke: color("--line"), width: 1 },
    ...more,
  };
}

export function countAxis(label) {
  return axis({
    values: (_, ticks) => ticks.map((tick) => (tick === null ? "" : short.format(tick))),
    size: 56,
    label,
    labelSize: 20,
    labelFont: "12px system-ui, sans-serif",
  });
}

export const stepped = (...args) => uPlot.paths.stepped({ align: 1 })(...args);
export const bars = (...args) => uPlot.paths.bars({ size: [0.86, 90], align: 0 })(...args);

/** Times of day in 24 hours, and the date where it changes; as fine as the ticks are apart. */
export function timeAxis() {
  return axis({
    space: 64,
    values(_, ticks, __, ___, step) {
      let date = "";
      return ticks.map((tick) => {
        const [day, time] = new Date(tick * 1_000).toISOString().split("T");
        const text = step < 1 ? time.slice(0, 10) : step < 60 ? time.slice(0, 8) : time.slice(0, 5);
        const shown = day === date ? text : `${step >= 86_400 ? "" : text}\n${day}`;
        date = day;
        return shown.trim();
      });
    },
  });
}

export const inUtc = (seconds) => uPlot.tzDate(new Date(seconds * 1_000), "Etc/UTC");
