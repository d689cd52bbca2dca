import { Agent, request, type IncomingHttpHeaders } from "node:http";

/** How one request ended. */
export interface Reply {
  /** 0 when there was no answer in time. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly ms: number;
}

/** One request from a client at an address, as one trusted proxy tells it. */
export interface Asked {
  readonly path?: string;
  readonly from?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** After this long a request counts as hanging. */
const PATIENCE_MS = 2_500;

/** Sends requests to one application over kept connections. */
export class Client {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  get({ path = "/", from = "203.0.113.9", headers = {} }: Asked = {}): Promise<Reply> {
    const started = performance.now();
    return new Promise((resolve) => {
      const end = (status: number, fields: IncomingHttpHeaders): void => {
        clearTimeout(timer);
        resolve({ status, headers: fields, ms: performance.now() - started });
      };
      const sent = request(`${this.#url}${path}`, {
        agent: this.#agent,
        headers: { "x-forwarded-for": from, ...headers },
      });
      const timer = setTimeout(() => sent.destroy(), PATIENCE_MS);
      sent.on("error", () => end(0, {}));
      sent.on("response", (response) => {
        response.resume();
        response.on("end", () => end(response.statusCode ?? 0, response.headers));
      });
      sent.end();
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
