import { FreshKeys, indexes } from "../measure/keys.js";
import { mocked } from "../servers/mocked.js";

/** So many requests exist at once: more than a server has would be carried along by the collector, at the cost of who makes garbage. */
const batch = 50;

/** @param {{ framework: string, name: string, limit: number, windowMs: number }} options */
export async function start({ framework, name, limit, windowMs }) {
  const make = mocked(framework, name, { limit, windowMs, client: undefined });
  const addresses = new FreshKeys(10_000);
  const drawn = indexes(10_000);
  /** @type {(() => unknown)[]} */
  const exchanges = Array.from({ length: batch }, () => async () => {});
  let at = 0;

  return {
    async round(/** @type {{ batches: number }} */ { batches }) {
      let cpuUs = 0;
      for (let count = 0; count < batches; count++) {
        for (let index = 0; index < batch; index++) {
          // Without the "ip:" of the keys.
          exchanges[index] = make(addresses.at(drawn[at++ & (drawn.length - 1)] ?? 0).slice(3));
        }
        const cpu = process.cpuUsage();
        for (const exchange of exchanges) await exchange();
        const { user, system } = process.cpuUsage(cpu);
        cpuUs += user + system;
      }
      return { cpuNs: (cpuUs * 1000) / batches / batch };
    },
  };
}
