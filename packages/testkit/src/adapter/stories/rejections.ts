import { connect } from "node:http2";
import type { AddressInfo } from "node:net";
import { quota } from "../client.ts";
import type { Call } from "../app-spec.ts";
import type { Given } from "../given.ts";

/** How a refusal is answered. */
export function rejectionStories(given: Given): void {
  test("a refusal is a problem document that names the violated policies", async () => {
    const { client } = await given.simple(given.limit(1, { name: "api" }));
    await client.get("/");
    const refused = await client.get("/");
    expect(refused.status).toBe(429);
    expect(refused.headers["content-type"]).toBe("application/problem+json; charset=utf-8");
    expect(Number(refused.headers["content-length"])).toBe(Buffer.byteLength(refused.body));
    expect(JSON.parse(refused.body)).toMatchObject({ status: 429, "violated-policies": ["api"] });
  });

  test("a refusal is plain text for who asks for that", async () => {
    const { client } = await given.simple(given.limit(0));
    const refused = await client.get("/", { headers: { accept: "text/plain" } });
    expect(refused.status).toBe(429);
    expect(refused.headers["content-type"]).toMatch(/^text\/plain/);
    expect(() => JSON.parse(refused.body)).toThrow();
    expect(refused.body).not.toBe("");
  });

  test("a refused request does not reach its handler", async () => {
    let handled = 0;
    const { client } = await given.app({
      limit: given.limit(2),
      routes: [{ path: "/", handle: () => `${++handled}` }],
    });
    await client.statuses(5, "/");
    expect(handled).toBe(2);
  });

  test("respond writes the body, the headers stay", async () => {
    const { client } = await given.simple(
      given.limit(1, { respond: (_request, { retryAfter }) => ({ error: "slow", again: retryAfter }) }),
    );
    await client.get("/");
    const refused = await client.get("/");
    expect(refused.status).toBe(429);
    expect(JSON.parse(refused.body)).toEqual({ error: "slow", again: 60 });
    expect(refused.headers["retry-after"]).toBe("60");
    expect(quota(refused)).toMatchObject({ limit: 1, remaining: 0 });
  });

  test("respond names the type of its body, and no framework adds to it", async () => {
    for (const type of ["text/html", "application/vnd.api+json", "text/plain; charset=iso-8859-1"]) {
      const respond = () => ({ headers: { "Content-Type": type }, body: "slow" });
      const { client } = await given.simple(given.limit(0, { respond }));
      const refused = await client.get("/");
      expect([refused.status, refused.headers["content-type"], refused.body]).toEqual([429, type, "slow"]);
    }
  });

  test("A40 a respond that ends the response itself is not written over", async () => {
    const { client } = await given.app({
      limit: given.limit(1, {
        respond: async (_request, { response }) => {
          const raw = rawOf(response);
          raw.statusCode = 418;
          raw.end("mine");
        },
      }),
      routes: [{ path: "/", handle: () => "ok" }],
    });
    await client.get("/");
    const refused = await client.get("/");
    expect([refused.status, refused.body]).toEqual([418, "mine"]);
  });

  test("A40 a respond that ends the response later is not written over meanwhile", async () => {
    const { client } = await given.app({
      limit: given.limit(1, {
        respond: async (_request, { response }) => {
          const raw = rawOf(response);
          raw.statusCode = 418;
          raw.write("mi");
          setTimeout(() => raw.end("ne"), 20);
        },
      }),
      routes: [{ path: "/", handle: () => "ok" }],
    });
    await client.get("/");
    const refused = await client.get("/");
    expect([refused.status, refused.body]).toEqual([418, "mine"]);
  });

  test("A40 a response that was sent before the limiter ran is left alone", async () => {
    let handled = 0;
    const { client } = await given.app({
      limit: given.limit(0),
      routes: [{ path: "/", handle: () => `${++handled}` }],
      before: ({ response }) => {
        response.statusCode = 200;
        response.end("early");
      },
    });
    const early = await client.get("/");
    expect([early.status, early.body, handled]).toEqual([200, "early", 0]);
  });

  test("A41 a thrown refusal reaches the app's error handler as an error with status 429", async () => {
    const seen: unknown[] = [];
    const { client } = await given.simple(given.limit(1, { rejectWith: "throw", respond: () => ({ error: "slow" }) }), {
      onError: (error) => {
        seen.push(error);
        const { statusCode = 500, body } = error as { statusCode?: number; body?: unknown };
        return { status: statusCode, body: JSON.stringify(body) };
      },
    });
    await client.get("/");
    const refused = await client.get("/");
    expect(refused.status).toBe(429);
    expect(JSON.parse(refused.body)).toEqual({ error: "slow" });
    expect(refused.headers["retry-after"]).toBe("60");
    expect(quota(refused)).toMatchObject({ limit: 1, remaining: 0 });
    expect(seen).toHaveLength(1);
    expect(seen[0]).toBeInstanceOf(Error);
    expect(seen[0]).toMatchObject({ status: 429, statusCode: 429, expose: true, code: "ERR_AFORO_RATE_LIMITED" });
  });

  test("A42 a thrown refusal keeps every header under the framework's own error handling", async () => {
    const told = await given.simple(given.limit(1));
    const thrown = await given.simple(given.limit(1, { rejectWith: "throw" }));
    await told.client.get("/");
    await thrown.client.get("/");
    const expected = await told.client.get("/");
    const refused = await thrown.client.get("/");
    expect(refused.status).toBe(429);
    for (const name of [
      "retry-after",
      "x-ratelimit-limit",
      "x-ratelimit-remaining",
      "x-ratelimit-reset",
      "cache-control",
    ]) {
      expect([name, refused.headers[name]]).toEqual([name, expected.headers[name]]);
    }
    expect(refused.headers["retry-after"]).toBe("60");
  });

  test("A61 HTTP/2 streams of one session count one by one, and a refusal is valid HTTP/2", async () => {
    if (!given.abilities.http2) return expect(given.abilities.http2).toBe(false);
    const { server } = await given.simple(given.limit(1), { http2: true });
    const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const ask = (): Promise<Record<string, unknown>> =>
      new Promise((resolve, reject) => {
        const stream = session.request({ ":path": "/" });
        stream.once("response", resolve);
        stream.once("error", reject);
        stream.resume();
      });
    const heads = [await ask(), await ask(), ...(await Promise.all(Array.from({ length: 50 }, ask)))];
    session.close();
    expect(heads.filter((head) => head[":status"] === 200)).toHaveLength(1);
    const refused = heads.filter((head) => head[":status"] === 429);
    expect(refused).toHaveLength(51);
    for (const head of refused) {
      expect(head).toMatchObject({ "retry-after": "60", "x-ratelimit-limit": "1", "x-ratelimit-remaining": "0" });
      expect(head).not.toHaveProperty("connection");
    }
  });

  test("a refusal keeps the connection when there is no body to read", async () => {
    const { client } = await given.app(
      { limit: given.limit(1), routes: [{ path: "/", handle: () => "ok" }] },
      { keepAlive: 1 },
    );
    await client.get("/");
    expect((await client.get("/")).headers.connection).not.toBe("close");
  });

  test("an upload that asks first is refused before it is sent, else told to go on", async () => {
    if (!given.abilities.beforeBody) return expect(given.abilities.beforeBody).toBe(false);
    const read = async ({ request }: Call): Promise<string> => {
      if (!request.readableEnded) for await (const _ of request);
      return "read";
    };
    const { client } = await given.app({
      limit: given.limit(1),
      routes: [{ method: "POST", path: "/", handle: read }],
    });
    const headers = { expect: "100-continue", "content-type": "text/plain", "content-length": "4" };
    const told: number[] = [];
    for (const status of [200, 429]) {
      const upload = client.start("/", { method: "POST", headers, body: null });
      upload.request.on("continue", () => {
        told.push(status);
        upload.request.end("body");
      });
      expect((await upload.answer).status).toBe(status);
      upload.leave();
    }
    expect(told).toEqual([200]);
  });

  test("a refusal does not read the body, and closes the connection that holds it", async () => {
    if (!given.abilities.beforeBody) return expect(given.abilities.beforeBody).toBe(false);
    const { client } = await given.app({
      limit: given.limit(0),
      routes: [{ method: "POST", path: "/", handle: () => "ok" }],
    });
    const upload = client.start("/", { method: "POST", headers: { "content-length": "100000" }, body: "x" });
    const refused = await upload.answer;
    expect(refused.status).toBe(429);
    expect(refused.headers.connection).toBe("close");
  });
}

/** Node's response behind any framework's. */
function rawOf(response: unknown): { statusCode: number; write(body: string): void; end(body: string): void } {
  const { raw, res } = response as { raw?: never; res?: never };
  return raw ?? res ?? (response as never);
}
