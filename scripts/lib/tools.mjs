import { existsSync } from "node:fs";
import { environment, run } from "./run.mjs";

/** What the tests run against besides Node. `package` is Debian's name for it. */
const tools = [
  {
    package: "redis-server",
    need: '"redis-server" and "redis-cli" (6.2 or later) on the PATH',
    install: "apt-get install redis-server    macOS: brew install redis    Fedora: dnf install redis",
    isPresent: async () => (await answers("redis-server")) && (await answers("redis-cli")),
  },
  {
    package: "nginx",
    need: '"nginx" on the PATH',
    install: "apt-get install nginx    macOS: brew install nginx    Fedora: dnf install nginx",
    isPresent: () => answers("nginx", "-v"),
  },
  {
    package: "varnish",
    need: '"varnishd" on the PATH',
    install: "apt-get install varnish    macOS: brew install varnish    Fedora: dnf install varnish",
    isPresent: () => answers("varnishd", "-V"),
  },
  {
    package: "chromium",
    need: "Chromium in /usr/bin, or its path in CHROMIUM_PATH, for the pages that the command line writes",
    install: "apt-get install chromium    Fedora: dnf install chromium",
    isPresent: async () =>
      process.env.CHROMIUM_PATH !== undefined ||
      ["chromium", "chromium-browser", "google-chrome"].some((name) => existsSync(`/usr/bin/${name}`)),
  },
];

/** Installs what is missing where that needs no question (root on Debian), else explains. All, or the named packages. */
export async function requireTools(...names) {
  const missing = await absent(tools.filter((tool) => names.length === 0 || names.includes(tool.package)));
  if (missing.length === 0) return;
  let output = "";
  if (process.getuid?.() === 0 && (await answers("apt-get"))) {
    const packages = missing.map((tool) => tool.package);
    console.log(`Installing ${packages.join(" and ")} with apt-get ...`);
    // RUNLEVEL=1 keeps packages from starting servers of their own on their default ports.
    const env = { ...environment(), DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
    await run("apt-get", ["update", "-q"], { env, quiet: true });
    const install = ["install", "-q", "-y", "--no-install-recommends", ...packages];
    ({ output } = await run("apt-get", install, { env, quiet: true }));
  }
  const still = await absent(missing);
  if (still.length === 0) return;
  process.stderr.write(output);
  for (const { need, install } of still) {
    process.stderr.write(`The tests need ${need}, and found none.\nDebian, Ubuntu: ${install}\n`);
  }
  process.exit(1);
}

async function absent(wanted) {
  const present = await Promise.all(wanted.map(({ isPresent }) => isPresent()));
  return wanted.filter((_, index) => !present[index]);
}

async function answers(command, argument = "--version") {
  return (await run(command, [argument], { quiet: true })).code === 0;
}
