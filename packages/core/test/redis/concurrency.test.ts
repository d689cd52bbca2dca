import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { startCluster, startRedis, type RedisCluster, type RedisServer } from "../../../testkit/src/redis/index.ts";
import { ALGORITHMS } from "../../src/domain/algorithm-name.ts";
import type { Task } from "./one-process.ts";
import { policyOf } from "./policies.ts";

const PROCESSES = 4;
const REQUESTS = 400;
const LIMIT = 500;

function describeProcesses(where: string, args: () => readonly string[], servers: () => readonly RedisServer[]): void {
  describe(`on ${where}`, () => {
    let processes: readonly ChildProcess[] = [];

    beforeAll(async () => {
      const run = join(__dirname, "../support/run-typescript.cjs");
      const argv = [join(__dirname, "one-process.ts"), ...args()];
      processes = Array.from({ length: PROCESSES }, () => fork(run, argv, { execArgv: [] }));
      await Promise.all(processes.map((process) => once(process, "message")));
    }, 60_000);

    afterAll(() => {
      for (const process of processes) process.kill();
    });

    /** How many requests each process had admitted. */
    const ask = (task: Task): Promise<number[]> =>
      Promise.all(
        processes.map(async (process) => {
          const answer = once(process, "message");
          process.send(task);
          return (await answer)[0] as number;
        }),
      );

    for (const algorithm of ALGORITHMS) {
      test(`A35 ${algorithm}: ${PROCESSES} processes with ${REQUESTS} requests each admit exactly ${LIMIT}`, async () => {
        const policy = policyOf({ algorithm, limit: LIMIT, window: "365 days" });
        const flushing = Promise.all(servers().map((server) => server.cli("SCRIPT", "FLUSH")));
        const admitted = await ask({ policy, stateKey: "one key", requests: REQUESTS });
        await flushing;
        expect(admitted.reduce((sum, each) => sum + each)).toBe(LIMIT);
      });

      test(`A35 ${algorithm}: and 5 of 200`, async () => {
        const policy = policyOf({ algorithm, limit: 5, window: 86_400_000 });
        const admitted = await ask({ policy, stateKey: "one key", requests: 50 });
        expect(admitted.reduce((sum, each) => sum + each)).toBe(5);
      });
    }
  });
}

describe("several processes on one key, while scripts are flushed", () => {
  let server: RedisServer;
  let cluster: RedisCluster;

  beforeAll(async () => {
    [server, cluster] = await Promise.all([startRedis(), startCluster()]);
  }, 30_000);

  afterAll(async () => {
    await Promise.all([server.stop(), cluster.stop()]);
  });

  describeProcesses(
    "one server",
    () => ["single", `${server.port}`],
    () => [server],
  );
  describeProcesses(
    "a Cluster",
    () => ["cluster", ...cluster.masters.map(({ port }) => `${port}`)],
    () => cluster.masters,
  );
});
