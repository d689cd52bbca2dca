import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type BrowserContext, type Page } from "playwright-core";

/** Where Debian and its relatives put it, and Fedora. */
const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"];

export interface Browser {
  readonly context: BrowserContext;
  close(): Promise<void>;
}

/** Starts the machine's Chromium with a profile of its own. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = process.env["CHROMIUM_PATH"] ?? PLACES.find((path) => existsSync(path));
  if (executablePath === undefined) {
    throw new Error(
      `the report is tested in Chromium, which is in none of ${PLACES.join(", ")}: apt-get install chromium, or set CHROMIUM_PATH`,
    );
  }
  const profile = mkdtempSync(join(tmpdir(), "aforo-chromium-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    args: FLAGS,
    timeout: 60_000,
  });
  return {
    context,
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** What a page said and asked for while it was open. */
export interface Watch {
  readonly messages: string[];
  readonly requests: string[];
}

export function watch(page: Page): Watch {
  const seen: Watch = { messages: [], requests: [] };
  page.on("console", (message) => seen.messages.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => seen.messages.push(error.message));
  page.on("request", (request) => seen.requests.push(request.url()));
  return seen;
}

/** For each canvas of the page: how many of its pixels are drawn on, and how many colours they have. */
export function inkOf(page: Page): Promise<readonly { readonly pixels: number; readonly colors: number }[]> {
  // Runs in the browser, whose names this project's types do not have.
  return page.evaluate(`[...document.querySelectorAll("canvas")].map((canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const colors = new Set();
    let pixels = 0;
    for (let i = 0; i < data.length; i += 4) {
      if (data[i + 3] === 0) continue;
      pixels += 1;
      colors.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
    }
    return { pixels, colors: colors.size };
  })`);
}
