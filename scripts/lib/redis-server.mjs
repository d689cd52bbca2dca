import { environment, run } from "./run.mjs";

/** Tests run against a real `redis-server`. Installs it where that needs no question (root on Debian), else explains. */
export async function requireRedisServer() {
  if (await present()) return;
  if (process.getuid?.() === 0 && (await run("apt-get", ["--version"], { quiet: true })).code === 0) {
    console.log("Installing redis-server with apt-get ...");
    // RUNLEVEL=1 keeps the package from starting a server of its own on the default port.
    const env = { ...environment(), DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
    await run("apt-get", ["update", "-q"], { env, quiet: true });
    const install = ["install", "-q", "-y", "--no-install-recommends", "redis-server"];
    const { output } = await run("apt-get", install, { env, quiet: true });
    if (await present()) return;
    process.stderr.write(output);
  }
  process.stderr.write(
    'The tests need "redis-server" and "redis-cli" (6.2 or later) on the PATH, and found none.\n' +
      "Debian, Ubuntu: apt-get install redis-server    macOS: brew install redis    Fedora: dnf install redis\n",
  );
  process.exit(1);
}

async function present() {
  for (const tool of ["redis-server", "redis-cli"]) {
    if ((await run(tool, ["--version"], { quiet: true })).code !== 0) return false;
  }
  return true;
}
