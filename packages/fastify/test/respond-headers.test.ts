import Fastify from "fastify";
import { rateLimit } from "../src/index.ts";

/** A header made of what the client sent, as an application may do: a decoded path can hold anything. */
const respond = { sync: () => bad(), async: async () => bad() };
const bad = () => ({ headers: { "X-Path": decodeURIComponent("/%0d%0aSet-Cookie: a=b") }, body: "slow down" });

test.each(["sync", "async"] as const)(
  "a header of %s respond that cannot be sent costs the custom answer, not the process nor the limiter's headers",
  async (kind) => {
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    process.on("unhandledRejection", note);
    const app = Fastify();
    await app.register(rateLimit, { limit: "1/day", respond: respond[kind] });
    app.get("/", async () => "ok");
    const url = await app.listen({ host: "127.0.0.1", port: 0 });
    await fetch(url);
    const refused = await fetch(url, { signal: AbortSignal.timeout(30_000) }).catch((error: unknown) => error as Error);
    process.off("unhandledRejection", note);
    app.server.closeAllConnections();
    await app.close();
    expect(unhandled).toEqual([]);
    expect(refused).toMatchObject({ status: 429 });
    expect((refused as Response).headers.get("retry-after")).toMatch(/^\d+$/);
  },
);
