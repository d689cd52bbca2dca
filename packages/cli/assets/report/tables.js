// The tables: policies, traffic, bursts, callers.
import { count, counted, duration, element, oneWindow, share, windowName } from "./words.js";

export function policyRows(scenarios, choose) {
  const window = (each) => oneWindow(each.window);
  const columns = [
    ["admitted", (each) => count(each.admitted)],
    ["rejected", (each) => [bad(each.rejected), element("small", {}, share(each.rejected, each.requests))]],
    [
      "callers rejected",
      (each) => [bad(each.callersRejected), element("small", {}, share(each.callersRejected, each.callers))],
    ],
    ["longest streak", (each) => count(each.longestStreak?.length ?? 0)],
    ["most admitted in 1 s", (each) => count(each.peakPerSecond.requests)],
    ["in 1 min", (each) => count(each.peakPerMinute.requests)],
    ["most of one caller in a window", (each) => [count(each.got.max), element("small", {}, window(each))]],
    ["callers above the limit", (each) => count(each.aboveLimit?.callers ?? 0)],
  ];
  if (scenarios.some(({ delayed }) => delayed > 0))
    columns.push([
      "held back",
      (each) =>
        each.delayed === 0
          ? "0"
          : [count(each.delayed), element("small", {}, `up to ${duration(each.longestDelayMs)}`)],
    ]);
  const head = element(
    "thead",
    {},
    element(
      "tr",
      {},
      ...["policy", ...columns.map(([name]) => name)].map((name) => element("th", { scope: "col" }, name)),
    ),
  );
  const rows = scenarios.map((each, index) => {
    const radio = element("input", { type: "radio", name: "policy", checked: index === 0, value: String(index) });
    radio.addEventListener("change", () => choose(index));
    const swatch = element("span", { className: "swatch", "data-series": String(index) });
    const label = element("label", {}, radio, swatch, element("span", {}, each.label, describePolicies(each)));
    const cells = columns.map(([name, cell]) => element("td", { "data-head": name }, ...[cell(each)].flat()));
    return element("tr", { className: index === 0 ? "on" : "" }, element("th", { scope: "row" }, label), ...cells);
  });
  return [head, element("tbody", {}, ...rows)];
}

function bad(value) {
  return element("span", { className: value === 0 ? "none" : "bad" }, count(value));
}

/** Says what a policy file's name does not. */
function describePolicies({ label, policies }) {
  const lines = policies.map(
    ({ name, algorithm, limit, window, capacity, key }) =>
      `${name}: ${algorithm} ${count(limit)}/${windowName(window)}${capacity === limit ? "" : ` burst ${count(capacity)}`}, by ${key}`,
  );
  const told = policies.length === 1 && label.startsWith(policies[0].algorithm);
  return element("small", { className: "hint", hidden: told || lines.length === 0 }, element("br"), lines.join("; "));
}

export function trafficRows({ traffic = [] }) {
  const head = element(
    "thead",
    {},
    element(
      "tr",
      {},
      ...["traffic", "requests", "admitted", "rejected"].map((name) => element("th", { scope: "col" }, name)),
    ),
  );
  const rows = traffic.map(({ name, requests, admitted }) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, name),
      element("td", {}, count(requests)),
      element("td", {}, count(admitted)),
      element("td", {}, bad(requests - admitted), element("small", {}, share(requests - admitted, requests))),
    ),
  );
  return [head, element("tbody", {}, ...rows)];
}

/** The most that one caller got in one window, against the limit of that window. */
export function burstRows(scenarios) {
  const longest = Math.max(1, ...scenarios.flatMap(({ got, policies }) => [got.max, policies[0]?.limit ?? 0])) * 1.02;
  return scenarios.map(({ label, got, policies, window, aboveLimit, peakPerSecond, peakPerMinute }, index) => {
    const limit = policies[0]?.limit;
    const fill = element("i", { style: `width:${(100 * got.max) / longest}%`, "data-series": String(index) });
    const mark =
      limit === undefined
        ? []
        : [element("b", { style: `left:${(100 * limit) / longest}%`, title: `limit ${count(limit)}` })];
    const text = `One caller got up to ${count(got.max)} in ${oneWindow(window)}${limit === undefined ? "" : `, where the limit is ${count(limit)}`}${
      aboveLimit === null ? "" : `; ${counted(aboveLimit.callers, "caller")} got more than that`
    }. The backend felt up to ${count(peakPerSecond.requests)} in a second and ${count(peakPerMinute.requests)} in a minute.`;
    return element(
      "div",
      { className: "burst" },
      element("span", {}, label),
      element("span", { className: "bar", role: "img", "aria-label": text }, fill, ...mark),
      element("p", {}, text),
    );
  });
}

const CALLER_COLUMNS = [
  ["caller", "caller"],
  ["requests", "requests"],
  ["rejected", "rejected"],
  ["longestStreak", "longest streak"],
  ["asked", "most asked in a window"],
  ["got", "most got"],
];

/** Those who asked most and those who were rejected most, sorted by any column. */
export function callerTable(table, filter, counter) {
  let callers = [];
  let total = 0;
  let sort = { column: "requests", descending: true };

  const heads = CALLER_COLUMNS.map(([column, name]) => {
    const button = element("button", { type: "button" }, name);
    button.addEventListener("click", () => {
      sort = { column, descending: sort.column === column ? !sort.descending : column !== "caller" };
      show();
    });
    return element("th", { scope: "col" }, button);
  });
  const body = element("tbody");
  table.replaceChildren(element("thead", {}, element("tr", {}, ...heads)), body);
  filter.addEventListener("input", show);

  function show() {
    const text = filter.value.trim().toLowerCase();
    const found = callers.filter(({ caller }) => caller.toLowerCase().includes(text)).sort(byColumn);
    for (const [index, [column]] of CALLER_COLUMNS.entries()) {
      heads[index].setAttribute(
        "aria-sort",
        column !== sort.column ? "none" : sort.descending ? "descending" : "ascending",
      );
    }
    body.replaceChildren(
      ...found.map((each) =>
        element(
          "tr",
          {},
          ...CALLER_COLUMNS.map(([column]) =>
            element(
              "td",
              {},
              column === "caller" ? each.caller : column === "rejected" ? bad(each.rejected) : count(each[column]),
            ),
          ),
        ),
      ),
    );
    counter.textContent = `${count(found.length)} of ${counted(total, "caller")}: those who asked most, and those who were rejected most.`;
  }

  function byColumn(a, b) {
    const [left, right] = sort.descending ? [b[sort.column], a[sort.column]] : [a[sort.column], b[sort.column]];
    return typeof left === "string" ? left.localeCompare(right, "en", { numeric: true }) : left - right;
  }

  return (scenario) => {
    callers = [
      ...new Map([...scenario.heaviest, ...scenario.mostRejected].map((each) => [each.caller, each])).values(),
    ];
    total = scenario.callers;
    show();
  };
}
