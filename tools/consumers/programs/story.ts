import assert from "node:assert/strict";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Asks a server whose limit is two a day three times, and ends the program. */
export async function tell(server: Server): Promise<void> {
  const { port } = server.address() as AddressInfo;
  const remaining: (string | null)[] = [];
  for (const status of [200, 200, 429]) {
    const response = await fetch(`http://127.0.0.1:${port}/`);
    await response.text();
    assert.equal(response.status, status);
    assert.equal(response.headers.get("x-ratelimit-limit"), "2");
    assert.equal(response.headers.has("retry-after"), status === 429);
    remaining.push(response.headers.get("x-ratelimit-remaining"));
  }
  assert.deepEqual(remaining, ["1", "0", "0"]);
  server.closeAllConnections();
  server.close();
}
