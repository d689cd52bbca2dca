/**
 * A client address as numbers, read by hand: this runs for every request. One reader is used over and over; what it
 * read is valid until the next `read`.
 */
export class AddressReader {
  /** 4, 6, or 0 when the last text was no address. */
  family: 0 | 4 | 6 = 0;
  /** The IPv4 address in 32 bits. */
  ipv4 = 0;
  /** Where its dotted spelling stands in the text; both 0 when it was written in groups. */
  dottedFrom = 0;
  dottedTo = 0;
  /** The IPv6 address in eight groups of 16 bits. */
  readonly groups: Uint16Array = new Uint16Array(8);

  /**
   * Reads an address as sockets, proxies and gateways spell it: with or without port, brackets and zone. IPv4 written
   * as IPv6 (mapped, RFC 4291 2.5.5.2; NAT64, RFC 6052) is IPv4 by its bits, whatever its spelling.
   */
  read(text: string): boolean {
    this.family = 0;
    this.dottedFrom = this.dottedTo = 0;
    const { length } = text;
    if (length > 0 && text.charCodeAt(0) === OPENING_BRACKET) {
      const closing = text.indexOf("]");
      return closing > 0 && isPort(text, closing + 1, length) && this.#readIpv6(text, 1, closing);
    }
    // Most IPv6 addresses begin with four digits and a colon, and no IPv4 address does.
    if (length > 4 && text.charCodeAt(4) === COLON) return this.#readIpv6(text, 0, length);
    const end = this.#readDotted(text, 0, length);
    if (end < 0) return this.#readIpv6(text, 0, length);
    if (!isPort(text, end, length)) return false;
    this.family = 4;
    return true;
  }

  /** `a.b.c.d`: answers where it ends, or -1. No leading zeros: some would read them as octal. */
  #readDotted(text: string, from: number, to: number): number {
    let address = 0;
    let octet = 0;
    let digits = 0;
    let dots = 0;
    let index = from;
    for (; index < to; index++) {
      const code = text.charCodeAt(index);
      if (code >= ZERO && code <= NINE) {
        if (digits > 0 && octet === 0) return -1;
        octet = octet * 10 + code - ZERO;
        if (octet > 255) return -1;
        digits++;
      } else if (code === DOT) {
        if (digits === 0 || ++dots > 3) return -1;
        address = address * 256 + octet;
        octet = 0;
        digits = 0;
      } else break;
    }
    if (dots !== 3 || digits === 0) return -1;
    this.ipv4 = address * 256 + octet;
    this.dottedFrom = from;
    this.dottedTo = index;
    return index;
  }

  /** RFC 4291 2.2, perhaps with a `%zone`. A bare IPv6 address never carries a port: its last group would be one. */
  #readIpv6(text: string, from: number, to: number): boolean {
    const { groups } = this;
    let count = 0;
    let gap = -1;
    let index = from;
    if (to - from > 1 && text.charCodeAt(from) === COLON && text.charCodeAt(from + 1) === COLON) {
      gap = 0;
      index += 2;
    }
    while (index < to) {
      const start = index;
      let group = 0;
      let code = 0;
      do {
        code = text.charCodeAt(index);
        const digit = code < 128 ? (HEX_DIGITS[code] as number) : NO_DIGIT;
        if (digit === NO_DIGIT) break;
        group = (group << 4) | digit;
      } while (++index < to);
      const digits = index - start;
      if (digits === 0) {
        if (gap !== count) return false;
        break;
      }
      if (digits > 4 || count > 7) return false;
      if (code === DOT) {
        index = this.#readDotted(text, start, to);
        if (index < 0 || count > 6) return false;
        groups[count++] = this.ipv4 >>> 16;
        groups[count++] = this.ipv4;
        break;
      }
      groups[count++] = group;
      if (code !== COLON) break;
      if (++index === to) return false;
      if (text.charCodeAt(index) === COLON) {
        if (gap >= 0) return false;
        gap = count;
        index++;
      }
    }
    if (index < to && !isZone(text, index, to)) return false;
    if (gap < 0 ? count !== 8 : count > 7) return false;
    if (gap >= 0) this.#fillGap(gap, count);
    this.family = this.#embedsIpv4() ? 4 : 6;
    return true;
  }

  /** Moves the groups behind `::` to the end. */
  #fillGap(gap: number, count: number): void {
    const { groups } = this;
    const missing = 8 - count;
    for (let group = 7; group >= gap + missing; group--) groups[group] = groups[group - missing] as number;
    for (let group = gap; group < gap + missing; group++) groups[group] = 0;
  }

  #embedsIpv4(): boolean {
    const { groups } = this;
    const mapped = groups[0] === 0 && groups[1] === 0 && groups[4] === 0 && groups[5] === 0xffff;
    const translated = groups[0] === 0x64 && groups[1] === 0xff9b && groups[4] === 0 && groups[5] === 0;
    if (!(mapped || translated) || groups[2] !== 0 || groups[3] !== 0) return false;
    this.ipv4 = (groups[6] as number) * 65_536 + (groups[7] as number);
    return true;
  }
}

const ZERO = 48;
const NINE = 57;
const DOT = 46;
const COLON = 58;
const PERCENT = 37;
const OPENING_BRACKET = 91;

const NO_DIGIT = 255;
/** The value of each hexadecimal digit by its character code. */
const HEX_DIGITS: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(value) ? NO_DIGIT : value;
});

/** Whether nothing is left, or `:` and a port of at most five digits. */
function isPort(text: string, from: number, to: number): boolean {
  if (from === to) return true;
  if (text.charCodeAt(from) !== COLON || to - from < 2 || to - from > 6) return false;
  for (let index = from + 1; index < to; index++) {
    const code = text.charCodeAt(index);
    if (code < ZERO || code > NINE) return false;
  }
  return true;
}

/** `%` and a name. */
function isZone(text: string, from: number, to: number): boolean {
  return text.charCodeAt(from) === PERCENT && from + 1 < to;
}
