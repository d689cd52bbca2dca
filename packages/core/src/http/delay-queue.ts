import type { ResponsePort } from "./response-port.ts";

/** Holds back what a leaky bucket admitted for later, a bounded number at a time. */
export class DelayQueue {
  readonly #max: number;
  #held = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /**
   * @returns `undefined` when the queue is full; else what resolves when it is time to go on, or with `false` as soon
   * as the client has left.
   */
  hold(ms: number, port: ResponsePort): Promise<boolean> | undefined {
    if (this.#held >= this.#max) return undefined;
    this.#held++;
    return new Promise((resolve) => {
      const release = (goesOn: boolean): void => {
        if (!waiting) return;
        waiting = false;
        clearTimeout(timer);
        this.#held--;
        resolve(goesOn);
      };
      let waiting = true;
      const timer = setTimeout(() => release(!port.closed), ms);
      port.onEnd(() => release(false));
    });
  }
}
