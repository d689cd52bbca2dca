import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo, Server as NetServer } from "node:net";
import type { App } from "./subject.ts";

/** Puts a request listener behind a port of 127.0.0.1. */
export async function listen(listener: RequestListener, cleanUp: () => unknown): Promise<App> {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: urlOf(server), close: () => closeAll(server, cleanUp) };
}

export function urlOf(server: Pick<NetServer, "address">): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function closeAll(server: Server, cleanUp: () => unknown): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await cleanUp();
}
