import { StoreError, type AsyncStore } from "@aforo/core";
import type { LimiterEvent } from "@aforo/core";
import type { Given } from "../given.ts";

/** How requests are answered when the store cannot decide. */
export function outageStories(given: Given): void {
  test("a store that fails closed is answered with 503 and Retry-After, never 429", async () => {
    const { client } = await given.simple({ store: failingStore(), limit: "5/day", onStoreError: "deny" });
    const answer = await client.get("/");
    expect(answer.status).toBe(503);
    expect(Number(answer.headers["retry-after"])).toBeGreaterThanOrEqual(1);
    expect(answer.names.filter((name) => name.startsWith("x-ratelimit"))).toEqual([]);
  });

  test("a store that fails open lets requests pass and invents no numbers", async () => {
    const { client } = await given.simple({ store: failingStore(), limit: "1/day", onStoreError: "allow" });
    for (let sent = 0; sent < 3; sent++) {
      const answer = await client.get("/");
      expect(answer.status).toBe(200);
      expect(answer.names.filter((name) => name.startsWith("x-ratelimit"))).toEqual([]);
    }
  });

  test("a store that fails is stood in for by this process", async () => {
    const events: LimiterEvent[] = [];
    const { client } = await given.simple({
      store: failingStore(),
      limit: "2/day",
      onStoreError: "local",
      onEvent: (event) => void events.push(event),
    });
    expect(await client.statuses(3, "/")).toEqual([200, 200, 429]);
    expect(events.map((event) => event.type)).toContain("store-error");
  });
}

/** A store across a network that is down. */
function failingStore(): AsyncStore {
  const fail = (): Promise<never> => Promise.reject(new StoreError("ERR_AFORO_STORE_UNAVAILABLE", "nobody there"));
  return {
    sync: false,
    kind: "failing",
    consume: fail,
    raise: fail,
    peek: fail,
    charge: fail,
    refund: fail,
    reset: fail,
    block: fail,
    inspect: fail,
    close: () => {},
  };
}
