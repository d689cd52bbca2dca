// How numbers and times are spelt. The words are those of the text report.
const grouped = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
export const short = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });

export function count(value) {
  return grouped.format(value);
}

export function counted(value, noun) {
  return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
}

export function share(part, whole) {
  if (whole === 0 || part === 0) return "0 %";
  const percent = (100 * part) / whole;
  if (percent > 99.9 && part < whole) return "> 99.9 %";
  return `${percent >= 10 ? Number(percent.toFixed(1)) : Number(percent.toPrecision(2))} %`;
}

export function duration(ms) {
  for (const [size, unit] of [
    [86_400_000, "d"],
    [3_600_000, "h"],
    [60_000, "min"],
    [1_000, "s"],
  ]) {
    if (ms >= size) return `${Number((ms / size).toFixed(ms >= 10 * size ? 0 : 1))} ${unit}`;
  }
  return `${Math.round(ms)} ms`;
}

export function windowName(ms) {
  for (const [size, name] of [
    [86_400_000, "day"],
    [3_600_000, "hour"],
    [60_000, "minute"],
    [1_000, "second"],
  ]) {
    if (ms === size) return name;
    if (ms % size === 0) return `${ms / size} ${name}s`;
  }
  return `${ms} ms`;
}

/** `one minute`, `15 minutes`. */
export function oneWindow(ms) {
  const name = windowName(ms);
  return /^\d/.test(name) ? name : `one ${name}`;
}

export function moment(ms) {
  const [date, time] = new Date(ms).toISOString().split("T");
  return `${date} ${time.replace(".000", "").replace("Z", "")}`;
}

/** Makes an element with text or children; whatever a log holds becomes text, never markup. */
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in made && key !== "style") made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}
