import { eventChannel } from "./channels.ts";
import type { EventListener } from "./events.ts";

/** Tells a listener and the channel `aforo:event`; what a listener throws must not be able to break a decision. */
export function createEmitter(listener: EventListener | undefined): EventListener {
  return (event) => {
    if (eventChannel.hasSubscribers) eventChannel.publish(event);
    try {
      listener?.(event);
    } catch {
      // Its own affair.
    }
  };
}
