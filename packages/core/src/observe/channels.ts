import { channel, type Channel } from "node:diagnostics_channel";

/**
 * Names of the `node:diagnostics_channel` channels. They are part of the interface: whoever listens need not import
 * this package, and copies of it in one process publish on the same channels.
 */
export const CHANNELS = {
  /** A `DecisionRecord` for every decision, at once. */
  decision: "aforo:decision",
  /** The same record with `status` and `aborted`, when the response of a decided request is complete. */
  response: "aforo:response",
  /** A `StoreMessage` for every call of a store, for what was blocked, reset or charged, and when a store fails or is back. */
  store: "aforo:store",
  /** A `LimiterEvent` for everything else that an operator should know of. */
  event: "aforo:event",
} as const;

export const decisionChannel: Channel = channel(CHANNELS.decision);
export const responseChannel: Channel = channel(CHANNELS.response);
export const storeChannel: Channel = channel(CHANNELS.store);
export const eventChannel: Channel = channel(CHANNELS.event);
