import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Express } from "express";
import { Client } from "@aforo/testkit";

/** An application behind a real server. */
export interface Served {
  readonly client: Client;
  readonly port: number;
  stop(): Promise<void>;
}

export async function serve(app: Express): Promise<Served> {
  const server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = new Client(server, 1);
  return {
    client,
    port: (server.address() as AddressInfo).port,
    async stop() {
      client.close();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
