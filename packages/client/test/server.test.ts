import type { IncomingMessage } from "node:http";
import { createFetch } from "../src/index.ts";
import { collectGarbage } from "./support/collect-garbage.ts";
import { listen, type RunningServer } from "./support/http-server.ts";

type Body = NonNullable<RequestInit["body"]>;
const quick = { baseDelayMs: 1, maxDelayMs: 50 } as const;
let server: RunningServer;
let requests: number;
let closedEarly: number;

async function serve(refusals: number, refusal: { body?: string } = {}): Promise<void> {
  server = await listen((request, response) => {
    requests += 1;
    response.on("close", () => {
      if (!response.writableFinished) closedEarly += 1;
    });
    if (requests > refusals) void readAll(request).then((body) => response.end(`${request.method} ${body}`));
    else {
      response.writeHead(429, { "Retry-After": "0" });
      if (refusal.body === "endless") response.write("x".repeat(100_000));
      else response.end(refusal.body ?? "later");
    }
  });
}

async function readAll(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) body += String(chunk);
  return body;
}

/** Fails by the test's own timeout if it never holds. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

beforeEach(() => {
  requests = 0;
  closedEarly = 0;
});

afterEach(() => server.close());

describe("discarded responses", () => {
  test("short bodies are read to their end, and the connection is used again", async () => {
    await serve(3, { body: "x".repeat(20_000) });
    const fetch = createFetch({ ...quick, maxDelayMs: 200, baseDelayMs: 50 });
    expect(await (await fetch(server.url)).text()).toBe("GET ");
    expect(requests).toBe(4);
    expect(server.connections()).toBe(1);
    expect(closedEarly).toBe(0);
  });

  test("endless bodies are cancelled, and hold no connection", async () => {
    await serve(2, { body: "endless" });
    const fetch = createFetch(quick);
    expect(await (await fetch(server.url)).text()).toBe("GET ");
    await until(() => closedEarly === 2);
  });

  test("the last response is the caller's, unread", async () => {
    await serve(99, { body: "why" });
    const response = await createFetch({ ...quick, maxRetries: 2 })(server.url);
    expect([response.status, await response.text(), requests]).toEqual([429, "why", 3]);
  });
});

describe("bodies are resent whole", () => {
  const form = new FormData();
  form.set("a", "1");
  const cases: ReadonlyArray<readonly [string, Body, string]> = [
    ["a string", "héllo", "héllo"],
    ["bytes", new TextEncoder().encode("bytes"), "bytes"],
    ["a buffer", new TextEncoder().encode("buffer").buffer, "buffer"],
    ["a Blob", new Blob(["blob"]), "blob"],
    ["URLSearchParams", new URLSearchParams({ a: "1" }), "a=1"],
    ["FormData", form, 'name="a"'],
  ];

  test.each(cases)("%s", async (_, body, expected) => {
    await serve(2);
    const response = await createFetch(quick)(server.url, { method: "PUT", body });
    expect(await response.text()).toContain(expected);
    expect(requests).toBe(3);
  });

  test("a Request's own body", async () => {
    await serve(2);
    const request = new Request(server.url, { method: "PUT", body: "own", headers: { a: "b" } });
    const response = await createFetch(quick)(request);
    expect(await response.text()).toBe("PUT own");
    expect(requests).toBe(3);
  });

  test("a Request's own body when no attempt can follow is not copied", async () => {
    await serve(99);
    const request = new Request(server.url, { method: "PUT", body: "own" });
    await (await createFetch({ ...quick, maxRetries: 1 })(request)).text();
    expect([requests, request.bodyUsed]).toEqual([2, true]);
  });

  test("an init body beside a Request", async () => {
    await serve(1);
    const response = await createFetch(quick)(new Request(server.url), { method: "PUT", body: "init" });
    expect(await response.text()).toBe("PUT init");
  });

  test("a Request as init", async () => {
    await serve(1);
    const init = new Request("http://elsewhere.test/", { method: "DELETE" });
    const response = await createFetch(quick)(server.url, init);
    expect([await response.text(), requests]).toEqual(["DELETE ", 2]);
  });

  test.each([
    ["a stream", (): Body => new Blob(["once"]).stream()],
    [
      "an async iterable",
      (): Body =>
        (async function* once() {
          yield new TextEncoder().encode("once");
        })() as unknown as Body,
    ],
  ])("%s is sent once", async (_, body) => {
    await serve(1);
    const fetch = createFetch(quick);
    const response = await fetch(server.url, { method: "PUT", body: body(), duplex: "half" });
    expect([response.status, requests, fetch.outcome(response)?.gaveUp]).toEqual([429, 1, "body"]);
    await response.text();
  });
});

describe("streaming responses", () => {
  async function stream(
    signal?: AbortSignal,
  ): Promise<{ reader: ReadableStreamDefaultReader<Uint8Array>; closed: Promise<void> }> {
    let close: () => void;
    const closed = new Promise<void>((resolve) => (close = resolve));
    server = await listen((_, response) => {
      response.write("first");
      response.on("close", close);
    });
    const response = await createFetch({ deadlineMs: 5000 })(server.url, signal === undefined ? {} : { signal });
    return { reader: response.body!.getReader(), closed };
  }

  test("the caller's signal still aborts the body, whoever holds what of it", async () => {
    const controller = new AbortController();
    const { reader, closed } = await stream(controller.signal);
    expect(new TextDecoder().decode((await reader.read()).value)).toBe("first");
    await collectGarbage();
    const next = reader.read();
    controller.abort(new Error("enough"));
    await expect(next).rejects.toThrow("enough");
    await closed;
  });

  test("cancelling the body closes the connection", async () => {
    const { reader, closed } = await stream();
    await reader.read();
    await reader.cancel();
    await closed;
  });

  test("aborting the wait leaves no request under way", async () => {
    await serve(99, { body: "endless" });
    const controller = new AbortController();
    const call = createFetch({ baseDelayMs: 10_000 })(server.url, { signal: controller.signal });
    // It has cancelled what it discards, and waits.
    await until(() => closedEarly === 1);
    controller.abort(new Error("enough"));
    await expect(call).rejects.toThrow("enough");
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([requests, closedEarly]).toEqual([1, 1]);
  });
});

test("a relative URL or none is left for the underlying fetch to judge", async () => {
  await serve(0);
  await expect(createFetch()("/path")).rejects.toThrow(/Failed to parse URL|Invalid URL/);
});
