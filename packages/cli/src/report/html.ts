import type { Report } from "./report.ts";

export async function htmlReport(report: Report, root: string): Promise<string> {
  return JSON.stringify(report) + root;
}
