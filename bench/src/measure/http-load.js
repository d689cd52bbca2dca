import { SubjectProcess } from "./subject-process.js";

const connections = 50;
/** So that the server is what there is too little of, and the kernel's share of a request is not all of it. */
const pipelining = 8;
/** A connection whose share has been sent does not wait for the answers that are still on their way. */
const unread = connections * (pipelining - 1);

/** The load generator, and what a server spends on what it sends. */
export class HttpLoad {
  #process;

  /** @param {SubjectProcess} process */
  constructor(process) {
    this.#process = process;
  }

  static async start() {
    return new HttpLoad(await SubjectProcess.start("http-load", {}));
  }

  /**
   * Sends so many requests. Gives the server's CPU in microseconds for each.
   * @param {SubjectProcess} server
   * @param {number} requests
   * @param {"allowed" | "denied" | "any"} expected
   */
  async send(server, requests, expected) {
    const port = await server.call("port");
    const before = await server.call("cpuUs");
    const sent = await this.#process.call("run", { port, requests: requests + unread, connections, pipelining });
    const cpuUs = (await server.call("cpuUs")) - before;
    const { ok, rejected, errors, p99, seconds } = sent;
    const wanted = { allowed: ok, denied: rejected, any: ok + rejected }[expected];
    if (errors > 0 || wanted < requests) throw new Error(`${wanted} of ${requests} were ${expected}, ${errors} failed`);
    // The server answers all of them.
    return { cpuUs: cpuUs / (requests + unread), perSecond: requests / seconds, p99 };
  }

  async stop() {
    await this.#process.stop();
  }
}
