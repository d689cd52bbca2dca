import { promisedStore } from "../support/promised-store.ts";
import { referenceStore } from "../../src/testing/reference-store.ts";
import { describeStoreContract } from "../../src/testing/store-contract.ts";

describeStoreContract("the reference store", referenceStore, { runs: 20 });
describeStoreContract("a store of promises", (clock) => promisedStore(referenceStore(clock)), { runs: 20 });
