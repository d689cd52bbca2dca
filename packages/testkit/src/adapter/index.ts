import { memoryStore, type Store } from "@aforo/core";
import type { Abilities, Mount } from "./app-spec.ts";
import { asyncStore } from "./async-store.ts";
import { Given } from "./given.ts";
import type { ManualClock } from "@aforo/core/testing";
import { afterwardStories } from "./stories/afterward.ts";
import { callerStories } from "./stories/callers.ts";
import { classStories } from "./stories/classes.ts";
import { countingStories } from "./stories/counting.ts";
import { delayStories } from "./stories/delays.ts";
import { headerStories } from "./stories/headers.ts";
import { outageStories } from "./stories/outages.ts";
import { rejectionStories } from "./stories/rejections.ts";
import { routeStories } from "./stories/routes.ts";
import { skipStories } from "./stories/skips.ts";

const STORES: readonly (readonly [name: string, create: (clock: ManualClock) => Store])[] = [
  ["a store that answers at once", (clock) => memoryStore({ clock })],
  ["a store that answers later", (clock) => asyncStore(memoryStore({ clock }))],
];

const STORIES: readonly ((given: Given) => void)[] = [
  countingStories,
  classStories,
  headerStories,
  rejectionStories,
  callerStories,
  routeStories,
  skipStories,
  afterwardStories,
  outageStories,
  delayStories,
];

/**
 * Registers what every adapter must do, on real sockets. Run it once per framework version.
 *
 * @param name - names the framework in the report.
 * @param mount - serves an app that is told without any framework.
 */
export function describeAdapterContract(name: string, mount: Mount, abilities: Abilities): void {
  describe.each(STORES)(`${name} keeps the adapter contract with %s`, (_, createStore) => {
    const given = new Given(mount, abilities, createStore);
    const unhandled: unknown[] = [];
    const remember = (error: unknown): void => void unhandled.push(error);

    beforeAll(() => process.on("unhandledRejection", remember));
    afterAll(() => process.off("unhandledRejection", remember));
    afterEach(async () => {
      await given.end();
      expect(unhandled.splice(0)).toEqual([]);
    });

    for (const tell of STORIES) tell(given);
  });
}
