import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Report } from "./report.ts";

/** The modules of the page, in the order in which they need each other. */
const SCRIPTS = ["words", "plot", "plans", "tables", "page"];

/**
 * The report as one page that needs nothing else: plots by uPlot, which is part of it.
 *
 * @param root - the folder of this package.
 */
export async function htmlReport(report: Report, root: string): Promise<string> {
  const { resolve } = createRequire(join(root, "package.json"));
  const asset = (name: string): Promise<string> => readFile(join(root, "assets", name), "utf8");
  const library = (name: string): Promise<string> => readFile(resolve(`uplot/dist/${name}`), "utf8");
  const scripts = await Promise.all(SCRIPTS.map((name) => asset(`report/${name}.js`)));
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string };
  const parts: Readonly<Record<string, string>> = {
    "/*{{uplot.css}}*/": await library("uPlot.min.css"),
    "/*{{report.css}}*/": await asset("report.css"),
    "/*{{uplot.js}}*/": await library("uPlot.iife.min.js"),
    "/*{{report.js}}*/": scripts.map(withoutLinks).join("\n"),
    "{{version}}": version,
    // Whatever a log holds cannot end the script that it is in.
    "{{report}}": JSON.stringify(report).replaceAll("<", "\\u003c"),
  };
  const page = await asset("report.html");
  return page.replace(/\/\*\{\{[a-z.]+\}\}\*\/|\{\{[a-z]+\}\}/g, (mark) => parts[mark] ?? mark);
}

/** The modules become one script, in which each sees what the others export. */
function withoutLinks(module: string): string {
  return module.replace(/^import [^;]*;\n/gm, "").replace(/^export /gm, "");
}
