import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { aforo } from "../support/aforo.ts";
import { inkOf, startBrowser, watch, type Browser, type Watch } from "../support/browser.ts";
import { testFolder } from "../support/folder.ts";

jest.setTimeout(180_000);

const folder = testFolder();
const SCREENSHOTS = join(tmpdir(), "aforo-report-screenshots");
const WIDTHS = [360, 1440];
const SCHEMES = ["light", "dark"] as const;
const EVIL = "</script><img src=x onerror=alert(1)>";

let browser: Browser;
let page: Page;
let seen: Watch;
let text: string;

beforeAll(async () => {
  mkdirSync(SCREENSHOTS, { recursive: true });
  const log = folder.write("access.log", `${madeUpLog()}\nno request: ${EVIL}\n`);
  const policy = ["--limit", "30/minute", "--algorithm", "all", "--burst", "10"];
  const made = await Promise.all([
    aforo(["replay", log, ...policy, "--key", "user", "--html", folder.path("replay.html")]),
    aforo([
      "simulate",
      "--office",
      "10@6/minute",
      "--retry-storm",
      "5@1/second",
      "--limit",
      "40/minute",
      "--html",
      folder.path("simulate.html"),
    ]),
    aforo(["replay", "-", "--limit", "5/second", "--html", folder.path("empty.html")]),
  ]);
  expect(made.map(({ stderr }) => stderr)).toEqual(["", "", ""]);
  text = made[0]?.stdout ?? "";
  browser = await startBrowser();
});

afterAll(() => browser?.close());

async function open(name: string, width: number, colorScheme: "light" | "dark"): Promise<void> {
  page = await browser.context.newPage();
  seen = watch(page);
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: 900 });
  await page.goto(pathToFileURL(folder.path(name)).href, { waitUntil: "load" });
}

afterEach(async () => {
  // Nothing was reported, and nothing asked for but the page itself.
  expect(seen.messages).toEqual([]);
  expect(seen.requests.filter((url) => !url.startsWith("data:"))).toEqual([page.url()]);
  await page.close();
});

describe.each(WIDTHS)("the report at %i pixels", (width) => {
  test.each(SCHEMES)("in %s draws its plots, and nothing sticks out", async (scheme) => {
    await open("replay.html", width, scheme);
    await page.screenshot({ path: join(SCREENSHOTS, `replay-${width}-${scheme}.png`), fullPage: true });
    const ink = await inkOf(page);
    expect(ink).toHaveLength(3);
    for (const { pixels, colors } of ink) {
      expect(pixels).toBeGreaterThan(4_000);
      expect(colors).toBeGreaterThan(5);
    }
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    const [paper] = /\d+/.exec(String(await page.evaluate("getComputedStyle(document.body).backgroundColor"))) ?? [];
    expect(Number(paper) < 60).toBe(scheme === "dark");
  });

  test("of made-up traffic tells the kinds of it apart", async () => {
    await open("simulate.html", width, "light");
    await page.screenshot({ path: join(SCREENSHOTS, `simulate-${width}.png`), fullPage: true });
    expect(await page.locator("#traffic-table tbody tr").count()).toBe(2);
    expect(await inkOf(page)).toHaveLength(2);
  });
});

describe("the report", () => {
  test("says what the text report says", async () => {
    await open("replay.html", 1440, "light");
    expect(await page.locator("#facts").textContent()).toContain("by 61 callers (user)");
    expect(await page.locator("#policy-table tbody tr").count()).toBe(6);
    const rejected = await page.locator("#policy-table tbody .bad").allTextContents();
    // Rejected requests and callers, of each policy in turn.
    const told = [...text.matchAll(/^\d .*? (?:30\/minute|burst 10) +[\d,]+ +([\d,]+) +[\d.]+ % +([\d,]+) /gm)].flatMap(
      ([, requests, callers]) => [requests, callers],
    );
    expect(told).toHaveLength(12);
    expect(rejected).toEqual(told);
  });

  test("shows what a log holds as text, whatever it is", async () => {
    await open("replay.html", 1440, "light");
    await page.locator("#notes summary").click();
    expect(await page.locator("#notes code").textContent()).toContain(EVIL);
    expect(await page.locator("#callers-title ~ div td", { hasText: EVIL }).count()).toBe(1);
    expect(await page.locator("img").count()).toBe(0);
  });

  test("is usable by keyboard: policies, plots, sorting and search", async () => {
    await open("replay.html", 1440, "light");
    await page.locator("#policy-table input >> nth=0").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    expect(await page.locator(".chosen >> nth=0").textContent()).toBe("sliding-window-counter 30/minute");

    await page.locator("#time-plot [tabindex]").focus();
    await page.keyboard.press("Home");
    const first = await page.locator("#time-plot .readout").textContent();
    await page.keyboard.press("ArrowRight");
    const second = await page.locator("#time-plot .readout").textContent();
    expect(first).toMatch(/^2026-11-24 10:00:00, .*: \d+ requests?, \d+ rejected$/);
    expect(second).not.toBe(first);

    await page.locator("#peaks-plot [tabindex]").focus();
    await page.keyboard.press("End");
    expect(await page.locator("#peaks-plot .readout").textContent()).toMatch(/in one minute: 1 caller asked for that/);

    const column = page.locator("#caller-table thead button", { hasText: "rejected" });
    await column.focus();
    await page.keyboard.press("Enter");
    expect(await page.locator("#caller-table th[aria-sort=descending]").textContent()).toBe("rejected");
    expect(await page.locator("#caller-table tbody td >> nth=0").textContent()).toBe("user: robot");

    await page.locator("#caller-filter").focus();
    await page.keyboard.type("person 1");
    expect(await page.locator("#caller-table tbody tr").count()).toBe(11);
    expect(await page.locator("#caller-count").textContent()).toContain("11 of 61 callers");
  });

  test("draws the chosen limit where the callers above it begin", async () => {
    await open("replay.html", 1440, "light");
    expect(await page.locator("#peaks-plot [role=img]").getAttribute("aria-label")).toContain(
      "under fixed-window 30/minute",
    );
    expect(await page.locator("#bursts .burst").count()).toBe(6);
    expect(await page.locator("#bursts b[title='limit 30']").count()).toBe(6);
  });

  test("follows the system's colours while it is open", async () => {
    await open("replay.html", 1440, "light");
    const light = await inkOf(page);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.locator('.bar i[style*="rgb(86, 180, 233)"]').first().waitFor();
    expect(await inkOf(page)).toHaveLength(light.length);
  });

  test("of an empty log is a page too", async () => {
    await open("empty.html", 360, "dark");
    expect(await page.locator("#facts").textContent()).toContain("0 requests by 0 callers");
  });
});

/** Sixty people, a robot that asks every two seconds, and a name that is no name. */
function madeUpLog(): string {
  const lines: { at: number; user: string }[] = [];
  for (let person = 0; person < 59; person++) {
    for (let i = 0; i < 5 + person; i++)
      lines.push({ at: (i * 37_003 + person * 1_009) % 1_800_000, user: `person ${person}` });
  }
  for (let i = 0; i < 1_700; i++) lines.push({ at: i * 1_050, user: "robot" });
  lines.push({ at: 900_000, user: EVIL });
  lines.sort((a, b) => a.at - b.at);
  return lines
    .map(({ at, user }) => JSON.stringify({ time: Date.UTC(2026, 10, 24, 10) + at, ip: "10.0.0.1", user, path: "/" }))
    .join("\n");
}
