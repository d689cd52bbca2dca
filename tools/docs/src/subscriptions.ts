import { channel, type Channel, type ChannelListener } from "node:diagnostics_channel";
import { CHANNELS } from "@aforo/core";

/** What the snippets of a page subscribe to: channels are the process's, so they would be heard by the tests that follow. */
export class Subscriptions {
  readonly #channels = Object.values(CHANNELS).map((name) => channel(name));
  readonly #open: { readonly to: Channel; readonly listener: ChannelListener }[] = [];

  constructor() {
    for (const to of this.#channels) {
      to.subscribe = (listener) => {
        this.#open.push({ to, listener });
        (Object.getPrototypeOf(to) as Channel).subscribe.call(to, listener);
      };
    }
  }

  /** Ends all of them. */
  end(): void {
    for (const { to, listener } of this.#open.splice(0)) to.unsubscribe(listener);
    for (const to of this.#channels) Reflect.deleteProperty(to, "subscribe");
  }
}
