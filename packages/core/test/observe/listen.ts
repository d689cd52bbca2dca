import { subscribe, unsubscribe } from "node:diagnostics_channel";

const open: (() => void)[] = [];

/** Everything that is published on a channel, until the test ends. */
export function listen<T>(channel: string): T[] {
  const heard: T[] = [];
  const hear = (message: unknown): void => void heard.push(message as T);
  subscribe(channel, hear);
  open.push(() => void unsubscribe(channel, hear));
  return heard;
}

/** To be called after each test. */
export function stopListening(): void {
  for (const stop of open.splice(0)) stop();
}
