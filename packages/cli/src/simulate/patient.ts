import { createFetch } from "@aforo/client";
import type { Random } from "./random.ts";
import { address, every, type Crowd, type Traffic } from "./traffic.ts";
import type { World } from "./world.ts";

/** Clients with this suite's own `fetch`, as it comes: they wait as long as they are told to, and slow down before they must. */
export function patientClients(name: string, { callers, rate }: Crowd): Traffic {
  return {
    name,
    start(world, random, traffic) {
      world.hasPromises = true;
      for (let caller = 0; caller < callers; caller++) {
        const call = clientOf(world, random, address(10, traffic, caller), traffic);
        every(world, random, rate, () => void call("http://server.test/").catch(giveUp));
      }
    },
  };
}

function clientOf(world: World, random: Random, ip: string, traffic: number): (url: string) => Promise<Response> {
  return createFetch({
    // eslint-disable-next-line @typescript-eslint/require-await
    fetch: async (_url: string) => {
      const { admitted, headers } = world.request({ ip, traffic });
      return new Response(null, { status: admitted ? 200 : 429, headers });
    },
    clock: () => world.startedAt + world.now,
    random: () => random.next(),
    sleep: (ms) => new Promise((resolve) => world.at(world.now + ms, resolve)),
    deadlineMs: Infinity,
  });
}

/** A call that is out of retries has failed, which the tally knows already. */
function giveUp(): void {}
