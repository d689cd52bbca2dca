import { once } from "node:events";
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { connect as connectHttp2, createServer as createHttp2Server, type ClientHttp2Session } from "node:http2";
import { connect, type AddressInfo, type Server as NetServer } from "node:net";
import {
  NodeResponsePort,
  UpgradePort,
  answerContinue,
  createHttpLimiter,
  hasUnreadBody,
  rejectUpgrade,
  type HttpLimiter,
  type RateLimitOptions,
  type RequestView,
} from "../../src/adapter.ts";

/** The smallest adapter: Node alone. */
class NodeView extends NodeResponsePort implements RequestView<IncomingMessage> {
  readonly raw: IncomingMessage;
  readonly route = undefined;
  readonly user = undefined;

  constructor(req: IncomingMessage, res: ServerResponse) {
    super(req, res, res);
    this.raw = req;
  }

  get method(): string {
    return this.raw.method as string;
  }

  get path(): string {
    return this.raw.url as string;
  }

  header(name: string): string | undefined {
    return this.raw.headers[name] as string | undefined;
  }

  get ip(): string | undefined {
    return this.raw.socket.remoteAddress;
  }

  get peer(): string | undefined {
    return this.ip;
  }
}

type Handler = (req: IncomingMessage, res: ServerResponse) => void;

const closing: (() => unknown)[] = [];

afterEach(async () => {
  while (closing.length > 0) await closing.pop()?.();
});

function limiterOf(options: RateLimitOptions<IncomingMessage>): HttpLimiter<IncomingMessage, string, ServerResponse> {
  return createHttpLimiter<IncomingMessage, string, ServerResponse>(options, { name: "node" });
}

function serving(http: HttpLimiter<IncomingMessage, string, ServerResponse>, handler: Handler): Handler {
  return (req, res) => {
    const view = new NodeView(req, res);
    void Promise.resolve(http.meet(view, view)).then((outcome) => {
      if (outcome.action === "go") handler(req, res);
      if (outcome.action !== "reject") return;
      res.statusCode = outcome.rejection.status;
      res.end(outcome.rejection.body);
    });
  };
}

async function listen(server: NetServer & { closeAllConnections?(): void }): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.closeAllConnections?.();
    return new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

/** Sends raw text and collects everything until the other end closes. */
async function raw(port: number, text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  closing.push(() => socket.destroy());
  socket.write(text);
  let answer = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => (answer += chunk));
  await once(socket, "close");
  return answer;
}

describe("A60 an upgrade is refused in valid HTTP", () => {
  async function upgrades() {
    const http = createHttpLimiter<IncomingMessage>(
      { limit: "1/day", algorithm: "fixed-window", headers: { draft: "draft-7" } },
      { name: "node" },
    );
    const server = createServer();
    server.on("upgrade", (req, socket) => {
      const view = new NodeView(req, undefined as never);
      const port = new UpgradePort(socket);
      void Promise.resolve(http.meet(view, port)).then((outcome) => {
        if (outcome.action === "reject") rejectUpgrade(socket, outcome.rejection);
        if (outcome.action === "go")
          socket.end("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
      });
    });
    return listen(server);
  }
  const upgrade = "GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";

  test("with its length, its wait and a blank line, and the socket closes", async () => {
    const port = await upgrades();
    expect(await raw(port, upgrade)).toMatch(/^HTTP\/1\.1 101 /);
    const answer = await raw(port, upgrade);
    const [head = "", body = ""] = answer.split("\r\n\r\n");
    const [status, ...lines] = head.split("\r\n");
    const headers = new Map(
      lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 2)]),
    );
    expect(status).toBe("HTTP/1.1 429 Too Many Requests");
    expect(headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    expect(headers.get("content-length")).toBe(String(Buffer.byteLength(body)));
    expect(headers.get("connection")).toBe("close");
    expect(headers.get("ratelimit")).toMatch(/^limit=1, remaining=0, reset=\d+$/);
    expect(JSON.parse(body)).toMatchObject({ status: 429 });
    expect(lines).toHaveLength(headers.size);
  });

  test("as Node's own strict parser reads it", async () => {
    const port = await upgrades();
    await raw(port, upgrade);
    const sent = httpRequest({
      port,
      host: "127.0.0.1",
      headers: { connection: "Upgrade", upgrade: "websocket" },
      insecureHTTPParser: false,
    });
    sent.end();
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(429);
  });

  test("and a socket that is gone makes no exception", async () => {
    const socket = connect(await upgrades(), "127.0.0.1");
    socket.on("error", () => {});
    socket.destroy();
    const rejection = {
      status: 429,
      body: "x",
      headers: {},
      thrown: false,
      error: undefined as never,
    };
    expect(() => rejectUpgrade(socket, rejection)).not.toThrow();
    expect(new UpgradePort(socket).closed).toBe(true);
  });

  test("an upgrade that is let through counts as status 101 when it is settled", async () => {
    const socket = connect(await upgrades(), "127.0.0.1");
    const port = new UpgradePort(socket);
    const ended = new Promise((resolve) => port.onEnd((...end) => resolve(end)));
    socket.destroy();
    expect(await ended).toEqual([101, false]);
    expect(await new Promise((resolve) => port.onEnd((...end) => resolve(end)))).toEqual([101, false]);
  });
});

describe("A61 HTTP/2", () => {
  test("carries every header in lower case, no connection header, and each stream counts once", async () => {
    const http = limiterOf({ limit: "1/day", headers: { draft: "draft-11", expose: true } });
    const server = createHttp2Server();
    server.on("request", serving(http, (_, res) => res.end("ok")) as never);
    const session = connectHttp2(`http://127.0.0.1:${await listen(server)}`);
    closing.push(() => new Promise<void>((resolve) => session.close(resolve)));
    const streams = await Promise.all(Array.from({ length: 50 }, () => ask(session)));
    expect(streams.filter((headers) => headers[":status"] === 200)).toHaveLength(1);
    const rejected = streams.find((headers) => headers[":status"] === 429) ?? {};
    for (const name of Object.keys(rejected)) expect(name).toBe(name.toLowerCase());
    expect(rejected["retry-after"]).toMatch(/^\d+$/);
    expect(rejected["connection"]).toBeUndefined();
    expect(rejected["content-type"]).toContain("problem+json");
  });

  async function ask(session: ClientHttp2Session): Promise<Record<string, unknown>> {
    const stream = session.request({ ":method": "POST", ":path": "/", "content-length": "4" });
    stream.resume();
    stream.end("body");
    const [headers] = (await once(stream, "response")) as [Record<string, unknown>];
    return headers;
  }
});

describe("a rejection does not read the body", () => {
  async function uploads() {
    const http = limiterOf({ limit: "1/day" });
    const server = createServer(
      serving(http, (req, res) => {
        req.resume().on("end", () => res.end("received"));
      }),
    );
    answerContinue(server);
    return listen(server);
  }
  const expecting = "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n";

  test("Expect: 100-continue is answered with the 429, and the connection closes without the body", async () => {
    const port = await uploads();
    const socket = connect(port, "127.0.0.1");
    closing.push(() => socket.destroy());
    socket.write(expecting);
    const [first] = (await once(socket, "data")) as [Buffer];
    expect(String(first)).toBe("HTTP/1.1 100 Continue\r\n\r\n");
    socket.write("hello");
    const [second] = (await once(socket, "data")) as [Buffer];
    expect(String(second)).toMatch(/^HTTP\/1\.1 200 /);

    const answer = await raw(port, expecting);
    expect(answer).toMatch(/^HTTP\/1\.1 429 /);
    expect(answer).not.toContain("100 Continue");
    expect(answer).toMatch(/\r\nConnection: close\r\n/i);
  });

  test("an upload without Expect gets the 429 while it is being sent, and its connection closes", async () => {
    const port = await uploads();
    await raw(port, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    const answer = await raw(port, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\npart of it");
    expect(answer).toMatch(/^HTTP\/1\.1 429 /);
    expect(answer).toMatch(/\r\nConnection: close\r\n/i);
  });

  test("without a body the connection stays", async () => {
    const port = await uploads();
    const socket = connect(port, "127.0.0.1");
    closing.push(() => socket.destroy());
    for (const status of [200, 429, 429]) {
      socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
      const [answer] = (await once(socket, "data")) as [Buffer];
      expect(String(answer)).toContain(`HTTP/1.1 ${status} `);
      expect(String(answer)).not.toMatch(/Connection: close/i);
    }
  });

  test.each([
    ["a body that is on its way", { headers: { "content-length": "5" } }, true],
    ["a body of unknown length", { headers: { "transfer-encoding": "chunked" } }, true],
    ["an empty body", { headers: { "content-length": "0" } }, false],
    ["no body", { headers: {} }, false],
    ["a body that was received", { headers: { "content-length": "5" }, complete: true }, false],
    [
      "a stream of HTTP/2, of which a connection has many",
      { headers: { "content-length": "5" }, httpVersionMajor: 2 },
      false,
    ],
  ])("%s", (_, request, unread) => {
    expect(hasUnreadBody({ complete: false, httpVersionMajor: 1, ...request } as never)).toBe(unread);
  });

  test("a server that handles checkContinue itself is left alone", () => {
    const server = createServer().on("checkContinue", () => {});
    answerContinue(server);
    expect(server.listenerCount("checkContinue")).toBe(1);
  });
});

describe("the end of a response is told once", () => {
  type TestClient = (port: number, handled: Promise<void>) => Promise<unknown>;

  async function endings(handler: Handler, client: TestClient): Promise<unknown[]> {
    const ends: unknown[] = [];
    let tellHandled = (): void => {};
    const handled = new Promise<void>((resolve) => (tellHandled = resolve));
    const done = new Promise<void>((resolve) => {
      const server = createServer((req, res) => {
        const port = new NodeView(req, res);
        port.onEnd((...end) => {
          ends.push(end);
          setTimeout(() => {
            port.onEnd((...late) => ends.push(late));
            setTimeout(resolve, 10);
          }, 30);
        });
        handler(req, res);
        tellHandled();
      });
      void listen(server).then((port) => client(port, handled));
    });
    await done;
    return ends;
  }
  const get = (port: number) => raw(port, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  const leave: TestClient = async (port, handled) => {
    const socket = connect(port, "127.0.0.1");
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await handled;
    socket.destroy();
  };

  test("with its status when it was sent in full", async () => {
    expect(await endings((_, res) => res.writeHead(201).end("x"), get)).toEqual([
      [201, false],
      [201, false],
    ]);
  });

  test("without one when the client left before a head was sent", async () => {
    expect(await endings(() => {}, leave)).toEqual([
      [undefined, true],
      [undefined, true],
    ]);
  });

  test("A43 as aborted when the client left half-way", async () => {
    expect(await endings((_, res) => void res.writeHead(200).write("half"), leave)).toEqual([
      [200, true],
      [200, true],
    ]);
  });
});
