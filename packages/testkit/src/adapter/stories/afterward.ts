import { Readable } from "node:stream";
import type { Call, RouteSpec } from "../app-spec.ts";
import { quota } from "../client.ts";
import type { Given, Running } from "../given.ts";

/** A handler that waits until the test lets it go on. */
function gate(): { readonly entered: Promise<void>; open(): void; pass(): Promise<void> } {
  let enter = (): void => {};
  let open = (): void => {};
  const entered = new Promise<void>((resolve) => (enter = resolve));
  const opened = new Promise<void>((resolve) => (open = resolve));
  return {
    entered,
    open: () => open(),
    pass: () => {
      enter();
      return opened;
    },
  };
}

/** What happens to a charge once the response is known. */
export function afterwardStories(given: Given): void {
  const look: RouteSpec = { path: "/look", handle: () => "" };
  const looking = {
    classes: { read: 1, look: 0 },
    defaultClass: "read",
    classify: ({ path }: { readonly path: string }) => (path === "/look" ? "look" : undefined),
  };

  /** What is left, once it has been the same for a while: refunds follow the response. */
  async function left({ client }: Running): Promise<number> {
    const seen: number[] = [];
    while (seen.length < 100) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      const { remaining } = quota(await client.get("/look"));
      if (seen.slice(-3).filter((each) => each === remaining).length === 3) return remaining;
      seen.push(remaining);
    }
    throw new Error(`it never settled: ${seen.join(", ")}`);
  }

  function app(limit: Parameters<Given["limit"]>[1], handle: (call: Call) => ReturnType<RouteSpec["handle"]>) {
    return given.app({
      limit: given.limit(5, { ...looking, ...limit }),
      routes: [look, { path: "/", handle }],
    });
  }

  test("A43 a) a success is not given back by skipFailed", async () => {
    const running = await app({ skipFailed: true }, () => "ok");
    expect((await running.client.get("/")).status).toBe(200);
    expect(await left(running)).toBe(4);
  });

  test("A43 b) a failure is given back by skipFailed, once", async () => {
    const running = await app({ skipFailed: true }, ({ request }) => ({
      status: request.headers["x-fails"] === "yes" ? 500 : 200,
      body: "done",
    }));
    await running.client.statuses(2, "/");
    expect((await running.client.get("/", { headers: { "x-fails": "yes" } })).status).toBe(500);
    expect(await left(running)).toBe(3);
  });

  test("A43 c) a client that leaves before the answer is given its charge back by skipFailed, once", async () => {
    const waiting = gate();
    const running = await app({ skipFailed: true }, async ({ request }) => {
      if (request.headers["x-waits"] === "yes") await waiting.pass();
      return "ok";
    });
    await running.client.statuses(2, "/");
    const leaving = running.client.start("/", { headers: { "x-waits": "yes" } });
    await waiting.entered;
    leaving.leave();
    expect(await left(running)).toBe(3);
    waiting.open();
    expect(await left(running)).toBe(3);
  });

  test("A43 d) a client that leaves in the middle of a successful answer has been served", async () => {
    const running = await app({ skipFailed: true }, () => ({ body: Readable.from(endless()) }));
    const leaving = running.client.start("/");
    const head = await leaving.head;
    expect(head.statusCode).toBe(200);
    await new Promise((resolve) => head.once("data", resolve));
    leaving.leave();
    expect(await left(running)).toBe(4);
  });

  test("successes are given back by skipSuccessful, failures are not", async () => {
    const running = await app({ skipSuccessful: true }, ({ request }) => ({
      status: request.headers["x-fails"] === "yes" ? 401 : 200,
      body: "done",
    }));
    await running.client.get("/");
    expect(await left(running)).toBe(5);
    await running.client.get("/", { headers: { "x-fails": "yes" } });
    expect(await left(running)).toBe(4);
  });

  test("a refusal itself gives nothing back", async () => {
    const running = await app({ skipFailed: true }, () => "ok");
    expect(await running.client.statuses(7, "/")).toEqual([200, 200, 200, 200, 200, 429, 429]);
    expect(await left(running)).toBe(0);
  });

  test("settle says what the request cost in the end, once, with the response's status", async () => {
    const settled: unknown[] = [];
    const running = await app(
      {
        settle: ({ status, aborted }, { path }) => {
          if (path === "/look") return undefined;
          settled.push([status, aborted]);
          return 3;
        },
      },
      () => ({ status: 201, body: "made" }),
    );
    expect((await running.client.get("/")).status).toBe(201);
    expect(await left(running)).toBe(2);
    expect(settled).toEqual([[201, false]]);
  });

  test("a handler can charge what it knows late, whatever the limit", async () => {
    const running = await app({}, async ({ rateLimit }) => {
      await rateLimit.charge(7);
      return "ok";
    });
    expect((await running.client.get("/")).status).toBe(200);
    expect(await left(running)).toBe(0);
    expect((await running.client.get("/")).status).toBe(429);
  });

  test("handlers see the decision", async () => {
    const running = await app({}, ({ rateLimit }) =>
      JSON.stringify([rateLimit.limit, rateLimit.remaining, rateLimit.class]),
    );
    expect((await running.client.get("/")).body).toBe('[5,4,"read"]');
  });

  test.each([
    [
      "thrown",
      () =>
        Promise.resolve().then(() => {
          throw new Error("boom");
        }),
    ],
    [
      "thrown at once",
      () => {
        throw new Error("boom");
      },
    ],
  ])("an error of the app stays what it is and is charged (%s)", async (_, handle) => {
    const running = await given.app({
      limit: given.limit(5, looking),
      routes: [look, { path: "/", handle }],
      onError: (error) => ({ status: 503, body: (error as Error).message }),
    });
    const answer = await running.client.get("/");
    expect([answer.status, answer.body]).toEqual([503, "boom"]);
    expect(await left(running)).toBe(4);
  });

  test("streamed responses arrive whole, with the headers", async () => {
    const chunks = Array.from({ length: 200 }, (_, index) => `${index}`.padEnd(5_000, "."));
    const running = await app({}, () => ({ body: Readable.from(chunks) }));
    const answer = await running.client.get("/");
    expect(answer.body).toBe(chunks.join(""));
    expect(quota(answer).remaining).toBe(4);
  });
}

async function* endless(): AsyncGenerator<string> {
  for (;;) {
    yield "x".repeat(1_000);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
