import { describeAdapterContract } from "@aforo/testkit";
import { mountOn } from "./mount.ts";

describeAdapterContract("Nest on Express", mountOn("express"), {
  http2: false,
  seesNotFound: false,
  knowsNotFound: false,
  beforeBody: false,
  knowsRoute: true,
});

describeAdapterContract("Nest on Fastify", mountOn("fastify"), {
  http2: true,
  seesNotFound: false,
  knowsNotFound: false,
  beforeBody: false,
  knowsRoute: true,
});
