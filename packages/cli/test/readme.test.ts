import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startRedis, type RedisServer } from "@aforo/testkit/redis";
import { PACKAGE } from "./support/aforo.ts";
import { callMain } from "./support/call-main.ts";
import { testFolder } from "./support/folder.ts";

jest.setTimeout(240_000);

const readme = readFileSync(join(PACKAGE, "README.md"), "utf8");
const folder = testFolder();
const before = process.cwd();
let server: RedisServer;

beforeAll(async () => {
  server = await startRedis();
  // The page names files as they lie in the current folder.
  process.chdir(folder.path(""));
  for (const [, name, text] of readme.matchAll(/^`([\w.]+)`:\n\n```json\n([^`]*)```$/gm))
    folder.write(name as string, text as string);
});

afterAll(async () => {
  process.chdir(before);
  await server.stop();
});

/** Each command of the page, and what it is shown to print. */
function examples(): { readonly command: string; readonly output: string }[] {
  const blocks = [...readme.matchAll(/^```console\n([^`]*)```$/gm)].map(([, text]) => text as string);
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((example) => {
        const [command = "", ...output] = example.split("\n");
        return { command, output: output.join("\n") };
      }),
  );
}

/** Words of a command line, of which some are in double quotes. */
function wordsOf(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
}

describe("the README", () => {
  test("shows commands that do what it says", async () => {
    const found = examples();
    expect(found.length).toBeGreaterThan(10);
    // The log that the first ones are about is made by one of the last.
    const making = found.find(({ command }) => command.includes("--write-log"));
    for (const { command, output } of [making as (typeof found)[number], ...found]) {
      const [program, ...args] = wordsOf(command);
      expect(program).toBe("aforo");
      const run = await callMain(args, false, { REDIS_URL: server.url });
      expect({ command, code: run.code, stderr: run.stderr }).toEqual({ command, code: 0, stderr: "" });
      // Times of live keys are of the moment.
      if (output !== "" && !command.startsWith("aforo inspect")) expect(run.stdout).toBe(output);
    }
  });

  test("names every option of traffic, and every preset", () => {
    for (const name of ["--poisson", "--on-off", "--retry-storm", "--patient-clients", "--botnet", "--office"])
      expect(readme).toContain(`\`${name} `);
    for (const preset of ["pino", "caddy", "traefik", "gcp", "alb"]) expect(readme).toContain(preset);
  });
});
