import { referenceStore } from "../support/reference-store.ts";
import { describeVectors } from "./store-subject.ts";

describeVectors("the reference store", referenceStore);
