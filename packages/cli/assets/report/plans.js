// What each plot shows.
import { axis, bars, color, countAxis, inUtc, seriesColor, stepped, timeAxis } from "./plot.js";
import { count, counted, duration, moment, oneWindow, short } from "./words.js";

/** As many slots as the eye can tell apart: neighbours are added up. */
function coarse({ start, slot, requests, rejected }, width) {
  const factor = Math.ceil(requests.length / Math.max(80, width / 4.5));
  const added = (counts) =>
    Array.from({ length: Math.ceil(counts.length / factor) }, (_, index) =>
      counts.slice(index * factor, (index + 1) * factor).reduce((sum, each) => sum + each, 0),
    );
  return { start, slot: slot * factor, requests: added(requests), rejected: added(rejected) };
}

/** Seconds since 1970 for each slot of a timeline, and one more, so that the last slot has a width. */
function slotTimes({ start, slot, requests }) {
  return Array.from({ length: requests.length + 1 }, (_, index) => (start + index * slot) / 1_000);
}

export function timePlan(scenario, width) {
  const timeline = coarse(scenario.timeline, width);
  const closed = (values) => [...values, values.at(-1) ?? 0];
  return {
    label: `Requests and rejections over time under ${scenario.label}.`,
    data: [slotTimes(timeline), closed(timeline.requests), closed(timeline.rejected)],
    tzDate: inUtc,
    scales: { y: { range: (_, __, max) => [0, Math.max(1, max * 1.08)] } },
    axes: [timeAxis(), countAxis(`per ${duration(timeline.slot)}`)],
    series: [
      {
        label: "requests",
        stroke: color("--area"),
        fill: `${color("--area")}66`,
        width: 1.5,
        paths: stepped,
        points: { show: false },
      },
      {
        label: "rejected",
        stroke: color("--bad"),
        fill: `${color("--bad")}55`,
        width: 1.5,
        paths: stepped,
        points: { show: false },
      },
    ],
    describe(index) {
      const at = Math.min(index, timeline.requests.length - 1);
      return `${moment(timeline.start + at * timeline.slot)}, ${duration(timeline.slot)}: ${counted(timeline.requests[at], "request")}, ${count(timeline.rejected[at])} rejected`;
    },
  };
}

/** Closed traffic lasts longer under some policies: the longest timeline has all times that the others have. */
export function comparePlan(scenarios, width) {
  const timelines = scenarios.map(({ timeline }) => coarse(timeline, width));
  const longest = timelines.reduce((a, b) => (b.requests.length > a.requests.length ? b : a));
  const rows = timelines.map((timeline) =>
    Array.from(
      { length: longest.requests.length + 1 },
      (_, index) => timeline.rejected[index] ?? timeline.rejected.at(-1) ?? 0,
    ),
  );
  return {
    label: "Rejections over time under every policy.",
    data: [slotTimes(longest), ...rows],
    tzDate: inUtc,
    scales: { y: { range: (_, __, max) => [0, Math.max(1, max * 1.08)] } },
    axes: [timeAxis(), countAxis(`rejected per ${duration(longest.slot)}`)],
    series: scenarios.map(({ label }, index) => ({
      label,
      stroke: seriesColor(index),
      width: 1.75,
      dash: index % 2 === 1 ? [6, 3] : undefined,
      paths: stepped,
      points: { show: false },
    })),
    describe(index) {
      const at = Math.min(index, longest.requests.length - 1);
      return `${moment(longest.start + at * longest.slot)}: ${scenarios.map(({ label }, place) => `${label} ${count(rows[place][at])}`).join(", ")}`;
    },
  };
}

/** Callers by the most they asked for in one window; the limit is a line between the bins that it parts. */
export function peaksPlan(scenario) {
  const { bins } = scenario.asked;
  const policy = scenario.policies[0];
  const got = new Map(scenario.got.bins.map(({ from, callers }) => [from, callers]));
  const last = bins.length - 1;
  const name = (index) =>
    index === last || bins[index + 1].from === bins[index].from + 1
      ? count(bins[index].from)
      : `${count(bins[index].from)} to ${count(bins[index + 1].from - 1)}`;
  const limits =
    policy === undefined ? [] : [{ at: placeOf(bins, policy.limit), text: `limit ${count(policy.limit)}` }];
  if (policy !== undefined && policy.capacity !== policy.limit)
    limits.push({ at: placeOf(bins, policy.capacity), text: `burst ${count(policy.capacity)}` });
  return {
    label: `How many callers asked for how much in ${oneWindow(scenario.window)} at most, under ${scenario.label}.`,
    zoom: false,
    data: [
      bins.map((_, index) => index),
      bins.map(({ callers }) => callers || null),
      bins.map(({ from }) => got.get(from) || null),
    ],
    scales: {
      x: {
        time: false,
        range: () => [-0.6, Math.max(last, Math.ceil(Math.max(0, ...limits.map(({ at }) => at)))) + 0.6],
      },
      y: { distr: 3, range: (_, __, max) => [0.5, Math.max(2, (max ?? 1) * 2)] },
    },
    axes: [
      axis({
        grid: { show: false },
        splits: () => bins.map((_, index) => index),
        values: (drawn, splits) =>
          splits.map((index) =>
            index % Math.ceil(bins.length / Math.max(1, drawn.bbox.width / devicePixelRatio / 46)) === 0
              ? short.format(bins[index].from)
              : "",
          ),
      }),
      countAxis("callers"),
    ],
    series: [
      {
        label: "asked for",
        stroke: color("--area"),
        fill: `${color("--area")}88`,
        width: 1,
        paths: bars,
        points: { show: false },
      },
      { label: "got", stroke: color("--accent"), width: 2, paths: bars, points: { show: false } },
    ],
    hooks: { draw: [(drawn) => limits.forEach((limit, index) => drawLimit(drawn, limit, index))] },
    describe: (index) =>
      `${name(index)} in ${oneWindow(scenario.window)}: ${counted(bins[index].callers, "caller")} asked for that, ${count(got.get(bins[index].from) ?? 0)} got it`,
  };
}

/** Right of the bin that holds the limit: callers to the right asked for more. */
function placeOf(bins, limit) {
  const above = bins.findIndex(({ from }) => from > limit);
  return (above < 0 ? bins.length : above) - 0.5;
}

function drawLimit(drawn, { at, text }, index) {
  const { ctx, bbox } = drawn;
  const x = drawn.valToPos(at, "x", true);
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = ctx.fillStyle = color("--limit");
  ctx.lineWidth = 2 * ratio;
  ctx.setLineDash([6 * ratio, 4 * ratio]);
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.font = `600 ${12 * ratio}px system-ui, sans-serif`;
  const fits = x + ctx.measureText(text).width + 8 * ratio < bbox.left + bbox.width;
  ctx.textAlign = fits ? "left" : "right";
  ctx.textBaseline = "top";
  ctx.fillText(text, x + (fits ? 6 : -6) * ratio, bbox.top + (4 + 16 * index) * ratio);
  ctx.restore();
}
