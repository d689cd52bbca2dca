import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import Koa from "koa";
import { rateLimit } from "../src/index.ts";

test("a header of respond that cannot be sent is not on the error that is thrown instead", async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  process.on("unhandledRejection", note);
  const app = new Koa();
  app.silent = true;
  app.use(
    rateLimit({
      limit: "1/day",
      rejectWith: "throw",
      respond: async () => ({ headers: { "X-A": "a\nb" }, body: "x" }),
    }),
  );
  app.use((ctx) => void (ctx.body = "ok"));
  const server = createServer(app.callback()).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await fetch(url);
  const refused = await fetch(url, { signal: AbortSignal.timeout(30_000) }).catch((error: unknown) => error as Error);
  process.off("unhandledRejection", note);
  server.closeAllConnections();
  server.close();
  expect(unhandled).toEqual([]);
  expect(refused).toMatchObject({ status: 429 });
});
