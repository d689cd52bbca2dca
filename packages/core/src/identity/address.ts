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
    let from = 0;
    let to = text.length;
    if (to > 0 && text.charCodeAt(0) === OPENING_BRACKET) {
      const closing = text.indexOf("]");
      if (closing < 0 || !isPort(text, closing + 1, to)) return false;
      from = 1;
      to = closing;
      if (!this.#readIpv6(text, from, to)) return false;
    } else if (this.#readIpv4(text, from, to)) {
      this.family = 4;
      return true;
    } else if (!this.#readIpv6(text, from, to)) return false;
    this.family = 6;
    if (this.#embedsIpv4()) this.family = 4;
    return true;
  }

  /** `a.b.c.d`, perhaps with `:port`. No leading zeros: some would read them as octal. */
  #readIpv4(text: string, from: number, to: number): boolean {
    let address = 0;
    let octet = 0;
    let digits = 0;
    let dots = 0;
    let index = from;
    for (; index < to; index++) {
      const code = text.charCodeAt(index);
      if (code >= ZERO && code <= NINE) {
        if (digits > 0 && octet === 0) return false;
        octet = octet * 10 + code - ZERO;
        if (octet > 255) return false;
        digits++;
      } else if (code === DOT) {
        if (digits === 0 || ++dots > 3) return false;
        address = address * 256 + octet;
        octet = 0;
        digits = 0;
      } else break;
    }
    if (dots !== 3 || digits === 0 || !isPort(text, index, to)) return false;
    this.ipv4 = address * 256 + octet;
    this.dottedFrom = from;
    this.dottedTo = index;
    return true;
  }

  /** RFC 4291 2.2, perhaps with a `%zone`. A bare IPv6 address never carries a port: its last group would be one. */
  #readIpv6(text: string, from: number, to: number): boolean {
    const { groups } = this;
    let count = 0;
    let gap = -1;
    let group = 0;
    let digits = 0;
    let index = from;
    if (index < to && text.charCodeAt(index) === COLON && text.charCodeAt(++index) !== COLON) return false;
    for (; index < to; index++) {
      const code = text.charCodeAt(index);
      const digit = code < 128 ? (HEX_DIGITS[code] as number) : NO_DIGIT;
      if (digit !== NO_DIGIT) {
        if (++digits > 4) return false;
        group = (group << 4) | digit;
      } else if (code === COLON) {
        if (digits > 0) {
          if (count > 6) return false;
          groups[count++] = group;
          group = digits = 0;
          if (index + 1 === to) return false;
        } else if (gap < 0) gap = count;
        else return false;
      } else if (code === DOT) {
        if (count > 6) return false;
        index = this.#readTail(text, index - digits, to, count);
        if (index < 0) return false;
        count += 2;
        digits = 0;
        break;
      } else if (code === PERCENT) {
        if (digits === 0 && gap !== count) return false;
        break;
      } else return false;
    }
    // A zone has a name.
    if (index + 1 === to) return false;
    if (digits > 0) groups[count++] = group;
    if (gap < 0) return count === 8;
    return count < 8 && this.#fillGap(gap, count);
  }

  /** The last 32 bits in IPv4's spelling; returns where they end, or -1. */
  #readTail(text: string, from: number, to: number, count: number): number {
    let end = from;
    while (end < to && text.charCodeAt(end) !== PERCENT) {
      // A port has no place here.
      if (text.charCodeAt(end++) === COLON) return -1;
    }
    if (!this.#readIpv4(text, from, end)) return -1;
    this.groups[count] = this.ipv4 >>> 16;
    this.groups[count + 1] = this.ipv4;
    return end;
  }

  /** Moves the groups behind `::` to the end. */
  #fillGap(gap: number, count: number): true {
    const { groups } = this;
    const missing = 8 - count;
    for (let group = 7; group >= gap + missing; group--) groups[group] = groups[group - missing] as number;
    for (let group = gap; group < gap + missing; group++) groups[group] = 0;
    return true;
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
