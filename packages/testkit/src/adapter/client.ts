import { Agent, request, type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { Server } from "node:net";

/** What a test sends. */
export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** `null` leaves the request open, for the test to end. */
  readonly body?: string | null;
  /** The loopback address to come from, such as `127.0.0.2`. */
  readonly from?: string;
}

/** What it gets back. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Every header line as received, lower case; shows repeated ones. */
  readonly names: readonly string[];
  readonly body: string;
}

/** A request under way. */
export interface Pending {
  readonly answer: Promise<Answer>;
  readonly request: ClientRequest;
  /** Resolves when the head of the response has arrived. */
  readonly head: Promise<IncomingMessage>;
  /** Closes the connection as a client that leaves; `answer` then rejects, which nobody need handle. */
  leave(): void;
}

/** Talks to a server over real sockets: a connection for each request, or that many which are kept. */
export class Client {
  readonly #target: { readonly port: number } | { readonly socketPath: string };
  readonly #agent: Agent | false;

  constructor(server: Server, connections?: number) {
    const address = server.address();
    if (address === null) throw new Error("the server does not listen");
    this.#target = typeof address === "string" ? { socketPath: address } : { port: address.port };
    this.#agent = connections === undefined ? false : new Agent({ keepAlive: true, maxSockets: connections });
  }

  get(path: string, sent: Omit<Sent, "method"> = {}): Promise<Answer> {
    return this.start(path, sent).answer;
  }

  post(path: string, sent: Omit<Sent, "method"> = {}): Promise<Answer> {
    return this.start(path, { ...sent, method: "POST" }).answer;
  }

  send(method: string, path: string, sent: Omit<Sent, "method"> = {}): Promise<Answer> {
    return this.start(path, { ...sent, method }).answer;
  }

  /** The statuses of that many requests, one after the other. */
  async statuses(count: number, path: string, sent: Sent = {}): Promise<number[]> {
    const statuses: number[] = [];
    while (statuses.length < count) statuses.push((await this.start(path, sent).answer).status);
    return statuses;
  }

  start(path: string, { method = "GET", headers = {}, body, from }: Sent = {}): Pending {
    const local = from === undefined ? {} : { localAddress: from };
    const sending = request({
      host: "127.0.0.1",
      ...this.#target,
      ...local,
      agent: this.#agent,
      method,
      path,
      headers,
    });
    const head = new Promise<IncomingMessage>((resolve, reject) => {
      sending.once("response", resolve);
      sending.once("error", reject);
    });
    const answer = head.then(read);
    // Whoever leaves does not wait for the answer.
    for (const promise of [head, answer]) promise.catch(() => {});
    if (body === null) sending.flushHeaders();
    else sending.end(body);
    return { answer, head, request: sending, leave: () => sending.destroy() };
  }

  close(): void {
    if (this.#agent !== false) this.#agent.destroy();
  }
}

function read(response: IncomingMessage): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let body = "";
    response.setEncoding("utf8");
    response.on("data", (chunk: string) => (body += chunk));
    response.once("error", reject);
    response.once("end", () =>
      resolve({
        status: response.statusCode as number,
        headers: response.headers,
        names: response.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase()),
        body,
      }),
    );
  });
}

/** The three headers of every decided response as numbers. */
export function quota(answer: Answer): { readonly limit: number; readonly remaining: number; readonly reset: number } {
  const number = (name: string): number => Number(answer.headers[name] ?? NaN);
  return {
    limit: number("x-ratelimit-limit"),
    remaining: number("x-ratelimit-remaining"),
    reset: number("x-ratelimit-reset"),
  };
}

/** How many answers have which status. */
export function tally(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
