import { eventChannel } from "./channels.ts";
import type { EventListener } from "./events.ts";
import { quietly } from "./quietly.ts";

/** Tells a listener and the channel `aforo:event`; what a listener throws must not be able to break a decision. */
export function createEmitter(listener: EventListener | undefined): EventListener {
  return (event) => {
    if (eventChannel.hasSubscribers) eventChannel.publish(event);
    if (listener !== undefined) quietly(() => listener(event));
  };
}
