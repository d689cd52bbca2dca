import { Client, undisturbed } from "@aforo/testkit";
import { rateLimit } from "@aforo/express";
import express from "express";
import { serve, startNginx, stopAll } from "./programs.ts";

afterEach(stopAll);

/** One request: whether it was let through, and after how many ms. */
interface Passage {
  readonly admitted: boolean;
  readonly ms: number;
}

/** Sends groups of requests, each at its moment in ms. */
async function passages(
  client: Client,
  groups: readonly (readonly [at: number, requests: number])[],
): Promise<Passage[][]> {
  const start = performance.now();
  return Promise.all(
    groups.map(async ([at, requests]) => {
      await new Promise((resolve) => setTimeout(resolve, at - (performance.now() - start)));
      return Promise.all(
        Array.from({ length: requests }, async () => {
          const sent = performance.now();
          const { status } = await client.get("/");
          return { admitted: status === 200, ms: performance.now() - sent };
        }),
      );
    }),
  );
}

/** The delays of those of each group that were let through, in steps of the rate, the shortest first. */
function summary(groups: readonly (readonly Passage[])[]): number[][] {
  return groups.map((group) => {
    const admitted = group.filter((each) => each.admitted);
    return admitted.map(({ ms }) => ms / SPACING).sort((one, other) => one - other);
  });
}

/** One a second. Later groups come in the middle between two moments at which one more would be let through. */
const SPACING = 1_000;

const CASES = [
  {
    rule: "",
    burst: 1,
    delayAfter: 0,
    groups: [
      [0, 3],
      [500, 1],
      [1_500, 2],
      [3_500, 2],
    ],
  },
  {
    rule: "burst=5",
    burst: 6,
    delayAfter: 0,
    groups: [
      [0, 8],
      [2_500, 4],
      [4_500, 1],
    ],
  },
  {
    rule: "burst=6 delay=3",
    burst: 7,
    delayAfter: 3,
    groups: [
      [0, 9],
      [2_500, 3],
    ],
  },
  {
    rule: "burst=4 nodelay",
    burst: 5,
    delayAfter: 5,
    groups: [
      [0, 7],
      [1_500, 3],
      [7_500, 6],
    ],
  },
] as const;

/** What nginx and we make of each case, beside each other. */
async function play(): Promise<(readonly [theirs: number[][], own: number[][]])[]> {
  const bare = await serve((_req, res) => void res.end("ok"));
  const pairs: { readonly nginx: Client; readonly ours: Client }[] = [];
  for (const { rule, burst, delayAfter } of CASES) {
    const zone = "limit_req_zone $server_port zone=all:1m rate=1r/s;";
    const nginx = await startNginx(bare, `limit_req zone=all ${rule};`, zone);
    const app = express();
    app.get("/warm", (_req, res) => void res.send("ok"));
    app.use(rateLimit({ limit: "1/second", algorithm: "leaky-bucket", burst, delayAfter, key: () => "all" }));
    app.get("/", (_req, res) => void res.send("ok"));
    const ours = clientOf(await serve(app));
    // The first request of a process takes long enough to disturb the pattern.
    await ours.get("/warm");
    pairs.push({ nginx: clientOf(nginx), ours });
  }
  const sent = pairs.map(async ({ nginx, ours }, index) => {
    const { groups } = CASES[index] as (typeof CASES)[number];
    const [theirs, own] = await Promise.all([passages(nginx, groups), passages(ours, groups)]);
    return [summary(theirs), summary(own)] as const;
  });
  return Promise.all(sent);
}

test("nginx's limit_req and the leaky bucket let through and hold back the same requests", async () => {
  // Half of the time between a group and the next moment at which one more would be let through.
  const played = await undisturbed(250, play);
  for (const [index, [theirs, own]] of played.entries()) {
    const { rule } = CASES[index] as (typeof CASES)[number];
    expect({ rule, admitted: own.map(({ length }) => length) }).toEqual({
      rule,
      admitted: theirs.map(({ length }) => length),
    });
    for (const [at, delay] of theirs.flat().entries())
      expect(Math.abs((own.flat()[at] as number) - delay)).toBeLessThan(0.5);
  }
});

function clientOf(port: number): Client {
  return new Client({ address: () => ({ port }) } as never);
}
