import { responseChannel } from "./channels.ts";
import type { DecisionRecord } from "./records.ts";

/** The record of a decided request whose response is complete. */
export function completed(record: DecisionRecord, status: number | undefined, aborted: boolean): DecisionRecord {
  return { ...record, status, aborted };
}

/** Tells the channel `aforo:response`. @param record - completed. */
export function publishResponse(record: DecisionRecord): void {
  if (responseChannel.hasSubscribers) responseChannel.publish(record);
}
