import type { Random } from "./random.ts";
import type { World } from "./world.ts";

/** Some made-up traffic. */
export interface Traffic {
  /** In words, such as `poisson 6/second`. */
  readonly name: string;
  /** Plans its first requests. @param index - its place among the traffic of the run */
  start(world: World, random: Random, index: number): void;
}

/** So many callers, each at a rate. */
export interface Crowd {
  readonly callers: number;
  /** Requests of one caller in a millisecond. */
  readonly rate: number;
}

/** Requests that come at random, independently of each other. */
export function poisson(name: string, { callers, rate }: Crowd): Traffic {
  return {
    name,
    start(world, random, traffic) {
      const arrive = (): void => {
        const caller = callers === 1 ? 0 : random.below(callers);
        world.request({ ip: address(10, traffic, caller), traffic });
        next();
      };
      // Sums seconds, as the published experiments do: sums of milliseconds end in other digits.
      let seconds = 0;
      const next = (): void => world.at((seconds += random.gap(callers * rate * 1_000)) * 1_000, arrive);
      next();
    },
  };
}

/** Callers that are busy for a while, at the given rate, and then silent; each begins at another moment. */
export function onOff(name: string, { callers, rate }: Crowd, onMs: number, offMs: number): Traffic {
  return {
    name,
    start(world, random, traffic) {
      for (let caller = 0; caller < callers; caller++) {
        const ip = address(10, traffic, caller);
        const busy = (from: number): void => {
          for (let time = from + random.gap(rate); time < from + onMs; time += random.gap(rate))
            world.at(time, () => void world.request({ ip, traffic }));
          world.at(from + onMs + offMs, () => busy(from + onMs + offMs));
        };
        const first = callers === 1 ? 0 : random.next() * (onMs + offMs);
        world.at(first, () => busy(first));
      }
    },
  };
}

/** Clients that repeat whatever is rejected at once, over and over, as those without backoff do. */
export function retryStorm(name: string, { callers, rate }: Crowd, roundTripMs: number, mostAttempts: number): Traffic {
  return {
    name,
    start(world, random, traffic) {
      for (let caller = 0; caller < callers; caller++) {
        const ip = address(10, traffic, caller);
        const attempt = (left: number): void => {
          if (world.request({ ip, traffic }).admitted || left === 1) return;
          world.at(world.now + roundTripMs * (0.9 + 0.2 * random.next()), () => attempt(left - 1));
        };
        every(world, random, rate, () => attempt(mostAttempts));
      }
    },
  };
}

/** One request from each of very many addresses now and then: each of them stays below any limit by address. */
export function botnet(name: string, { callers, rate }: Crowd): Traffic {
  return {
    name,
    start(world, random, traffic) {
      for (let bot = 0; bot < callers; bot++)
        every(world, random, rate, () => world.request({ ip: address(198, 18, bot), traffic }));
    },
  };
}

/** People behind one address, each with a name: every page they open is eight requests within half a second. */
export function office(name: string, { callers, rate }: Crowd): Traffic {
  return {
    name,
    start(world, random, traffic) {
      const ip = "203.0.113.7";
      for (let person = 1; person <= callers; person++) {
        const ask = (): void => void world.request({ ip, user: `person ${person}`, traffic });
        every(world, random, rate, () => {
          ask();
          for (let i = 0; i < 7; i++) world.at(world.now + 50 + 450 * random.next(), ask);
        });
      }
    },
  };
}

/** Something that happens at random, at a rate in each ms, until the end. */
export function every(world: World, random: Random, rate: number, run: () => void): void {
  let time = 0;
  const next = (): void =>
    world.at((time += random.gap(rate)), () => {
      run();
      next();
    });
  next();
}

/** An address of its own for each caller. */
export function address(first: number, second: number, caller: number): string {
  return `${first}.${second + (caller >>> 16)}.${(caller >>> 8) & 255}.${caller & 255}`;
}
