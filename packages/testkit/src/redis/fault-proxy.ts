import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

/** What the proxy does to the bytes between a client and its server. */
export type ProxyFault =
  /** Nothing. */
  | "none"
  /** Listens no more and drops every connection. */
  | "refuse"
  /** Accepts, and passes nothing on in either direction. */
  | "stall"
  /** Passes requests on, and swallows every reply: the server counts, the client never hears. */
  | "swallow-replies"
  /** Sends half of the next reply and closes the connection. */
  | "cut-reply"
  /** Replaces replies by bytes that are no reply. */
  | "corrupt-reply"
  /** Delays replies. */
  | { readonly latencyMs: number };

/** A TCP proxy on 127.0.0.1 that can be told to misbehave, in front of a real server. */
export interface FaultProxy {
  readonly host: string;
  readonly port: number;
  /** From now on, for open connections too. */
  set(fault: ProxyFault): Promise<void>;
  stop(): Promise<void>;
}

const HOST = "127.0.0.1";

export async function startFaultProxy(targetPort: number): Promise<FaultProxy> {
  let fault: ProxyFault = "none";
  const sockets = new Set<Socket>();
  const server = createServer((client) => join(client, connect(targetPort, HOST)));
  await listen(server, 0);
  const { port } = server.address() as AddressInfo;

  function join(client: Socket, upstream: Socket): void {
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay();
      // The other end learns of a close by its own; an error needs no more than that.
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    client.on("data", (request) => {
      if (fault !== "stall") upstream.write(request);
    });
    upstream.on("data", (reply) => {
      if (fault === "none") client.write(reply);
      else if (fault === "cut-reply") client.end(reply.subarray(0, Math.floor(reply.length / 2)));
      else if (fault === "corrupt-reply") client.write(Buffer.alloc(reply.length, "~"));
      else if (typeof fault === "object") setTimeout(() => client.writable && client.write(reply), fault.latencyMs);
    });
  }

  const drop = (): void => {
    for (const socket of sockets) socket.destroy();
  };

  return {
    host: HOST,
    port,
    async set(next) {
      const listening = fault !== "refuse";
      const lossy = fault === "stall" || fault === "swallow-replies";
      fault = next;
      // A connection that lost bytes is of no use any more; its kernel resets it when it hears from the other again.
      if (lossy && next === "none") drop();
      if (next === "refuse" && listening) {
        drop();
        await new Promise((resolve) => server.close(resolve));
      }
      if (next !== "refuse" && !listening) await listen(server, port);
    },
    async stop() {
      drop();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, HOST);
  await once(server, "listening");
}
