import { describeAdapterContract, type Abilities } from "@aforo/testkit";
import Koa from "koa";
import Koa2 from "koa2";
import { mountOn } from "./mount.ts";

const abilities: Abilities = {
  http2: true,
  seesNotFound: true,
  knowsNotFound: false,
  beforeBody: true,
  knowsRoute: false,
};

describeAdapterContract("Koa 3", mountOn(Koa), abilities);
describeAdapterContract("Koa 2", mountOn(Koa2), abilities);
