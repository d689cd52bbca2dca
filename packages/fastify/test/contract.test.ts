import { describeAdapterContract } from "@aforo/testkit";
import Fastify from "fastify";
import { mountOn } from "./mount.ts";

describeAdapterContract("Fastify 5", mountOn(Fastify), {
  http2: true,
  seesNotFound: true,
  knowsNotFound: true,
  beforeBody: true,
  knowsRoute: true,
});
