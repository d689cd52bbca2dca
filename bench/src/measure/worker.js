// The process of one subject: loads what to measure, then does what it is asked for, one thing after the other.
import { startProfile, stopProfile } from "./profiler.js";

const [file, options] = process.argv.slice(2);
const { start } = await import(String(file));
const subject = { startProfile, stopProfile, ...(await start(JSON.parse(String(options)))) };

process.on("message", async (/** @type {{ command: string, argument: unknown }} */ { command, argument }) => {
  try {
    const value = await subject[command](argument);
    process.send?.({ value });
  } catch (error) {
    process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});
// Whoever started this is gone, perhaps killed.
process.on("disconnect", () => process.exit(0));
process.send?.({ value: "ready" });
