import type { CallerTable } from "./caller-table.ts";

/** All who come without an address: the limiter counts them together. */
const UNKNOWN = "unknown";

const DOT = 46;

/** Numbers callers by address, as the limiter's `ip()` would tell them apart. */
export class AddressKey {
  readonly #normalize: (text: string) => string | undefined;
  readonly #scratch = Buffer.alloc(16);

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

  /** The caller with an address as it was logged. */
  internText(callers: CallerTable, address: string | undefined): number {
    const text = this.text(address);
    const length = text.length < 16 ? this.#scratch.write(text, 0, "latin1") : 0;
    const ipv4 = ipv4In(this.#scratch, 0, length);
    return ipv4 >= 0 ? callers.internIpv4(ipv4) : callers.internText(text);
  }

  /** The caller whose address lies in some bytes, as the log has it. */
  internBytes(callers: CallerTable, bytes: Buffer, start: number, end: number): number {
    const ipv4 = ipv4In(bytes, start, end);
    if (ipv4 >= 0) return callers.internIpv4(ipv4);
    const text = bytes.toString("latin1", start, end);
    return this.internText(callers, text === "-" ? undefined : text);
  }
}

/** The 32 bits of an IPv4 address in its one usual spelling, which needs no normalizing; -1 for anything else. */
function ipv4In(bytes: Uint8Array, start: number, end: number): number {
  let dots = 0;
  let digits = 0;
  let value = 0;
  let address = 0;
  for (let i = start; i < end; i++) {
    const byte = bytes[i] as number;
    if (byte >= 48 && byte <= 57) {
      if (digits > 0 && value === 0) return -1;
      value = value * 10 + byte - 48;
      digits += 1;
    } else if (byte === DOT && digits > 0 && value < 256) {
      address = address * 256 + value;
      dots += 1;
      digits = value = 0;
    } else return -1;
  }
  return dots === 3 && digits > 0 && value < 256 ? address * 256 + value : -1;
}
