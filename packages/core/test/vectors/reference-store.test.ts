import { referenceStore } from "../../src/testing/reference-store.ts";
import { describeVectors } from "./store-subject.ts";

describeVectors("the reference store", referenceStore);
