import autocannon from "autocannon";

/** Where the load comes from: a process of its own, so that its CPU is nobody else's. */
export function start() {
  return {
    async run(/** @type {{ port: number, requests: number, connections: number, pipelining: number }} */ load) {
      const { port, requests, connections, pipelining } = load;
      const { statusCodeStats, errors, latency, duration } = await autocannon({
        url: `http://127.0.0.1:${port}/`,
        amount: requests,
        connections,
        pipelining,
        // It looks only so often whether all have been answered.
        sampleInt: 20,
      });
      const count = (/** @type {number} */ status) => statusCodeStats?.[status]?.count ?? 0;
      return { ok: count(200), rejected: count(429), errors, p99: latency.p99, seconds: duration };
    },
  };
}
