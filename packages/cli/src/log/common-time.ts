const [SLASH, COLON, SPACE, DOT, PLUS, MINUS, CLOSE] = [47, 58, 32, 46, 43, 45, 93] as const;

/** The letters of a month's name in lower case, as one number. */
const MONTHS: ReadonlyMap<number, number> = new Map(
  ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"].map((name, month) => [
    (name.charCodeAt(0) << 16) | (name.charCodeAt(1) << 8) | name.charCodeAt(2),
    month,
  ]),
);

/** Reads stamps such as `10/Oct/2000:13:55:36.123 -0700]` out of bytes. */
export class CommonTime {
  /** A log names one day many times in a row. */
  #day = -1;
  #midnight = 0;

  /** Epoch ms of the stamp that begins at `at` and is followed by `]`; -1 when it is written otherwise. */
  read(bytes: Uint8Array, at: number): number {
    const b = bytes;
    if (
      b[at + 2] !== SLASH ||
      b[at + 6] !== SLASH ||
      b[at + 11] !== COLON ||
      b[at + 14] !== COLON ||
      b[at + 17] !== COLON
    )
      return -1;
    const midnight = this.#midnightOf(b, at);
    const hour = two(b, at + 12);
    const minute = two(b, at + 15);
    const second = two(b, at + 18);
    if (midnight < 0 || !(hour < 24 && minute < 60 && second <= 60)) return -1;

    let zone = at + 20;
    let ms = 0;
    if (b[zone] === DOT) {
      let unit = 100;
      for (zone += 1; isDigit(b[zone]); zone++, unit /= 10) if (unit >= 1) ms += ((b[zone] as number) - 48) * unit;
    }
    const sign = b[zone + 1];
    const offset = two(b, zone + 2) * 60 + two(b, zone + 4);
    if (b[zone] !== SPACE || (sign !== PLUS && sign !== MINUS) || b[zone + 6] !== CLOSE || !(offset <= 1_440))
      return -1;
    const time =
      midnight + ((hour * 60 + minute) * 60 + second) * 1_000 + ms - (sign === PLUS ? offset : -offset) * 60_000;
    return time >= 0 ? time : -1;
  }

  #midnightOf(b: Uint8Array, at: number): number {
    const letters = ((b[at + 3] as number) << 16) | ((b[at + 4] as number) << 8) | (b[at + 5] as number) | 0x202020;
    const date = two(b, at);
    const year = two(b, at + 7) * 100 + two(b, at + 9);
    const day = (year * 32 + date) * 0x1000000 + (letters & 0xffffff);
    if (day === this.#day) return this.#midnight;
    const month = MONTHS.get(letters);
    if (month === undefined || !(date >= 1 && date <= 31 && year >= 1970)) return -1;
    this.#day = day;
    return (this.#midnight = Date.UTC(year, month, date));
  }
}

/** `NaN` for what is not two digits, so that every comparison fails. */
function two(bytes: Uint8Array, at: number): number {
  return isDigit(bytes[at]) && isDigit(bytes[at + 1])
    ? ((bytes[at] as number) - 48) * 10 + (bytes[at + 1] as number) - 48
    : NaN;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 48 && byte <= 57;
}
