// What an application gives to rateLimit.
import { firstOf, ip, user } from "@aforo/core";

// oxlint-disable-next-line import/no-default-export -- it is how the program finds it
export default {
  name: "api",
  policies: [{ name: "second", algorithm: "sliding-window-log", limit: () => "10/second", key: firstOf(user(), ip()) }],
};
