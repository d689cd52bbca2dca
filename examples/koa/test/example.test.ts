import { join } from "node:path";
import { describeExample } from "@aforo/testkit";

describeExample(join(__dirname, "..", "server.js"));
