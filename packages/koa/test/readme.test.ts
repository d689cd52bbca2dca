import { describeReadme } from "@aforo/testkit";

describeReadme(__dirname);
