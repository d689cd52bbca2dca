// What an application gives to rateLimit, with the store that it uses.
import { redisStore } from "@aforo/core/redis";
import { Redis } from "ioredis";

// oxlint-disable-next-line import/no-default-export -- it is how the program finds it
export default {
  name: "own",
  store: redisStore(new Redis(process.env.TEST_REDIS)),
  limit: "9/day",
};
