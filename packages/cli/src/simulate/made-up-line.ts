import type { AddressKey } from "../callers/address.ts";
import type { CallerTable } from "../callers/caller-table.ts";
import type { LogLine } from "../log/log-line.ts";
import type { Asking } from "./world.ts";

/** A made-up request, as a log would tell of it. */
export class MadeUpLine implements LogLine {
  readonly time: number;
  readonly #asking: Asking;

  constructor(time: number, asking: Asking) {
    this.time = time;
    this.#asking = asking;
  }

  address(callers: CallerTable, key: AddressKey): number {
    return key.internText(callers, this.#asking.ip);
  }

  field(name: string): string | undefined {
    if (name === "ip") return this.#asking.ip;
    if (name === "user") return this.#asking.user;
    return name === "method" ? "GET" : name === "path" ? "/" : undefined;
  }

  header(): undefined {
    return undefined;
  }

  snapshot(): LogLine {
    return this;
  }
}
