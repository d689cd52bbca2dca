import { once } from "node:events";
import { Cluster, Redis } from "ioredis";
import { closedLoop } from "../measure/closed-loop.js";
import { FreshKeys, indexes } from "../measure/keys.js";
import { redisDeciders } from "../subjects/redis.js";

/**
 * @param {{ decider: string, autoPipelining?: boolean, ports: number[], quota: import("../subjects/redis.js").Quota, keys: number, abusers?: number }} options
 */
export async function start({ decider, autoPipelining = false, ports, quota, keys, abusers = 0 }) {
  const nodes = ports.map((port) => ({ port, host: "127.0.0.1" }));
  const options = { enableAutoPipelining: autoPipelining };
  const client = nodes.length > 1 ? new Cluster(nodes, options) : new Redis({ ...nodes[0], ...options });
  // Ours asks a connected client only, as it should: a service that starts decides by itself.
  await once(client, "ready");
  const make = redisDeciders[decider];
  if (make === undefined) throw new Error(`no subject is called "${decider}"`);
  const decide = await make(client, quota);
  const fresh = new FreshKeys(keys);
  const calm = indexes(keys);
  // The first keys are the abusers'; 19 requests of 20 are theirs.
  const attack = abusers === 0 ? calm : calm.map((index, at) => (at % 20 === 0 ? index : index % abusers));
  const siege = calm.map((index) => index % Math.max(abusers, 1));
  let at = 0;

  /** @param {Uint32Array} drawn */
  function keysOf(drawn) {
    return () => fresh.at(/** @type {number} */ (drawn[at++ & (drawn.length - 1)]));
  }
  return {
    round: (
      /** @type {{ inFlight: number, ms: number, atLeast?: number, onlyAbusers?: boolean }} */ { onlyAbusers, ...plan },
    ) => closedLoop({ ...plan, nextKey: keysOf(onlyAbusers ? siege : attack), decide }),
  };
}
