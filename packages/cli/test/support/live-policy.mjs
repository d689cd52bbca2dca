// What an application gives to rateLimit, but for its store.
import { firstOf, ip, user } from "@aforo/core";

// oxlint-disable-next-line import/no-default-export -- it is how the program finds it
export default {
  name: "api",
  policies: [
    { name: "account", algorithm: "token-bucket", limit: "5/day", key: firstOf(user(), ip()) },
    { name: "network", algorithm: "gcra", limit: "100/day", key: ip() },
  ],
};
