// Loaded into the measured process: tells at its end what it took.
process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const usage = { seconds: process.uptime(), cpu: (userCPUTime + systemCPUTime) / 1e6, rss: maxRSS / 1024 };
  process.stderr.write(`\nusage ${JSON.stringify(usage)}\n`);
});
