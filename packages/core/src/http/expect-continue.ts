/* oxlint-disable no-underscore-dangle -- the documented hook of whoever implements a stream: called when it is first read */
import type { IncomingMessage, Server, ServerResponse } from "node:http";

/**
 * Lets a server answer `Expect: 100-continue` with the final status: "100 Continue" goes out only when the
 * application begins to read the body, so the body of a rejected upload is never sent. Call it once per server; one that
 * handles `checkContinue` itself is left alone.
 */
export function answerContinue(server: Server): void {
  if (server.listenerCount("checkContinue") > 0) return;
  server.on("checkContinue", (req: IncomingMessage, res: ServerResponse) => {
    const read = req._read.bind(req);
    req._read = (size) => {
      req._read = read;
      // What is read after the answer is read to be thrown away.
      if (!res.headersSent && !res.writableEnded) res.writeContinue();
      read(size);
    };
    server.emit("request", req, res);
  });
}
