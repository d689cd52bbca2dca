import { memoryStore } from "../../src/memory/memory-store.ts";
import { describeStoreContract } from "../../src/testing/store-contract.ts";
import { describeVectors } from "../vectors/store-subject.ts";

describeVectors("the memory store", (clock) => memoryStore({ clock }));
describeStoreContract("the memory store", (clock) => memoryStore({ clock }));
