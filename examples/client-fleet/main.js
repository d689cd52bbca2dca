// Twenty clients want 15 requests a second together of an API that admits 10, over real HTTP.
//   npm start -- [--seconds 60] [--algorithm sliding-window-counter]
import { parseArgs } from "node:util";
import { createFetch } from "@aforo/client";
import { runFleet } from "./fleet.js";
import { plainBackoff } from "./plain-backoff.js";
import { table } from "./table.js";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    algorithm: { type: "string", default: "sliding-window-counter" },
  },
});
const seconds = Number(values.seconds);
if (!(seconds >= 1)) throw new RangeError(`--seconds must be a number of at least 1, got "${values.seconds}"`);

const fleet = { clients: 20, wantedPerSecond: 15, limitPerSecond: 10, seconds, algorithm: values.algorithm };
console.log(`${fleet.clients} clients, ${fleet.algorithm}, twice ${seconds} s …`);

// One after the other, so that neither takes the processor from the other.
const plain = await runFleet(fleet, (signal) =>
  plainBackoff({ baseDelayMs: 250, maxDelayMs: 30_000, maxRetries: 10, signal }),
);
const paced = await runFleet(fleet, (signal) => createFetch({ signal }));
console.log(table(fleet, plain, paced));
