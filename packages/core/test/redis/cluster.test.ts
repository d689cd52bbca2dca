import { Cluster } from "ioredis";
import { startCluster, type RedisCluster } from "../../../testkit/src/redis/index.ts";
import { redisStore } from "../../src/redis/index.ts";
import { describeStoreContract } from "../contract/store-contract.ts";
import { describeVectors } from "../vectors/store-subject.ts";
import { ready } from "./clients.ts";

let cluster: RedisCluster;
let redis: Cluster;

beforeAll(async () => {
  cluster = await startCluster();
  redis = await ready(new Cluster(cluster.masters.map(({ host, port }) => ({ host, port }))));
}, 30_000);

afterAll(async () => {
  redis.disconnect();
  await cluster.stop();
});

describeStoreContract("the Redis store on a Cluster", (clock) => redisStore(redis, { clock }), {
  atomicAcrossKeys: false,
  runs: 30,
});
describeVectors("the Redis store on a Cluster", (clock) => redisStore(redis, { clock }));
