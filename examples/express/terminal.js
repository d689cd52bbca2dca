/**
 * Prints where the API listens and what to try.
 * @param {import("node:http").Server} server
 * @param {string} store
 */
export function announce(server, store) {
  const address = server.address();
  const url = `http://localhost:${typeof address === "object" && address !== null ? address.port : address}`;
  console.log(`listening on ${url}, counting in ${store}

Each caller has 100 units a minute. Headers say what is left:
  curl -i ${url}/                                    costs 1
  curl -i "${url}/search?q=tea"                      costs 5
  curl -i -X POST ${url}/export                      costs 50, and two at once at most
  curl -i -H "X-Api-Key: key-of-ann" ${url}/         is counted apart
  curl -i -X POST ${url}/login -H "Content-Type: application/json" -d '{"account":"ann"}'
                                                            5 a minute for an account, 20 for a network
  curl -i ${url}/healthz                             is never limited

Go past a limit:
  for i in $(seq 21); do curl -s -o /dev/null -w "%{http_code} " "${url}/search"; done; curl -i ${url}/search
The answer 429 names in Retry-After the seconds after which the same request succeeds.`);
}

/**
 * Ends cleanly: no new connections, what is under way gets five seconds.
 * @param {import("node:http").Server} server
 * @param {() => Promise<void>} close
 */
export function stopOnSignals(server, close) {
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) {
    process.once(signal, () => {
      console.log("stopping");
      server.close(() => void close().then(() => console.log("stopped")));
      setTimeout(() => server.closeAllConnections(), 5_000).unref();
    });
  }
}
