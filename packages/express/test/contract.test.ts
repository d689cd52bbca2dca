import { describeAdapterContract, type Abilities } from "@aforo/testkit";
import express from "express";
import express4 from "express4";
import { mountOn } from "./mount.ts";

const abilities: Abilities = {
  http2: false,
  seesNotFound: true,
  knowsNotFound: false,
  beforeBody: true,
  knowsRoute: false,
};

describeAdapterContract("Express 5", mountOn(express, express.Router), abilities);
describeAdapterContract("Express 4", mountOn(express4, express4.Router), abilities);
