import type { Server } from "node:http";

/**
 * Lets a server answer `Expect: 100-continue` with the final status: "100 Continue" goes out only when the
 * application begins to read the body, so a rejected upload is never sent. Call it once per server.
 */
export function answerContinue(server: Server): void {
  throw new Error(`not written yet: ${String(server)}`);
}
