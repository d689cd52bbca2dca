import type { CallerTable } from "./caller-table.ts";

/** All who come without an address: the limiter counts them together. */
export const UNKNOWN = "unknown";

const DOT = 46;

/** Numbers callers by address, as the limiter's `ip()` would tell them apart. */
export class AddressKey {
  readonly #normalize: (text: string) => string | undefined;

  /** @param normalize - the limiter's spelling of an address; `undefined` for what is none. */
  constructor(normalize: (text: string) => string | undefined) {
    this.#normalize = normalize;
  }

  /** The key of an address as it was logged. */
  text(address: string | undefined): string {
    if (address === undefined) return UNKNOWN;
    // A server that resolves names logs these: each stands for itself.
    return this.#normalize(address) ?? address.toLowerCase();
  }

  /** The caller whose address lies in some bytes, as the log has it. */
  intern(callers: CallerTable, bytes: Buffer, start: number, end: number): number {
    if (isPlainIpv4(bytes, start, end)) return callers.intern(bytes, start, end);
    const text = bytes.toString("latin1", start, end);
    return callers.internText(this.text(text === "-" ? undefined : text));
  }
}

/** Whether the bytes are an IPv4 address in the one usual spelling, which needs no normalizing. */
function isPlainIpv4(bytes: Uint8Array, start: number, end: number): boolean {
  let dots = 0;
  let digits = 0;
  let value = 0;
  for (let i = start; i < end; i++) {
    const byte = bytes[i] as number;
    if (byte >= 48 && byte <= 57) {
      if (digits > 0 && value === 0) return false;
      value = value * 10 + byte - 48;
      digits += 1;
    } else if (byte === DOT && digits > 0 && value < 256) {
      dots += 1;
      digits = value = 0;
    } else return false;
  }
  return dots === 3 && digits > 0 && value < 256;
}
