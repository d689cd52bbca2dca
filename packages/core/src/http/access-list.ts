import { BlockList, isIP } from "node:net";
import { ConfigError, got } from "../domain/errors.ts";
import { AddressReader } from "../identity/address.ts";

/** Addresses, ranges and keys that are always or never counted. */
export class AccessList {
  readonly #addresses = new BlockList();
  readonly #keys = new Set<string>();
  readonly #reader = new AddressReader();
  /** Whether any entry is a key, for which the keys of a request must be known. */
  readonly hasKeys: boolean;
  readonly hasAddresses: boolean;

  /** @throws ConfigError for what is neither an address, nor a CIDR range, nor a key. */
  constructor(option: string, entries: unknown) {
    if (!Array.isArray(entries))
      throw new ConfigError(
        "ERR_AFORO_INVALID_OPTION",
        `"${option}" must be an array of addresses, CIDR ranges and keys, ${got(entries)}`,
      );
    for (const [index, entry] of entries.entries()) this.#add(`${option}[${index}]`, entry);
    this.hasKeys = this.#keys.size > 0;
    this.hasAddresses = this.#keys.size < entries.length;
  }

  hasAddress(address: string | undefined): boolean {
    if (address === undefined || !this.#reader.read(address)) return false;
    const { family, ipv4, groups } = this.#reader;
    return family === 4
      ? this.#addresses.check(dotted(ipv4), "ipv4")
      : this.#addresses.check(Array.from(groups, (group) => group.toString(16)).join(":"), "ipv6");
  }

  /** @param key - as extractors make it. */
  hasKey(key: string): boolean {
    return this.#keys.has(key);
  }

  #add(option: string, entry: unknown): void {
    if (typeof entry === "string") {
      const [address = "", bits, ...rest] = entry.split("/");
      const family = isIP(address);
      if (family !== 0 && rest.length === 0 && this.#addRange(address, family, bits)) return;
      if (family === 0 && KEY.test(entry)) {
        this.#keys.add(entry);
        return;
      }
    }
    throw new ConfigError(
      "ERR_AFORO_INVALID_OPTION",
      `"${option}" must be an address, a CIDR range such as "10.0.0.0/8", or a key such as user.key("42"), ${got(entry)}`,
    );
  }

  #addRange(address: string, family: number, bits: string | undefined): boolean {
    const longest = family === 4 ? 32 : 128;
    const prefix = bits === undefined ? longest : /^\d{1,3}$/.test(bits) ? Number(bits) : NaN;
    if (!(prefix <= longest) || !this.#reader.read(address)) return false;
    if (family === 4) this.#addresses.addSubnet(address, prefix, "ipv4");
    // Clients that come with mapped addresses are looked up as IPv4, so ranges of them are IPv4 too.
    else if (this.#reader.family === 4 && prefix >= 96)
      this.#addresses.addSubnet(dotted(this.#reader.ipv4), prefix - 96, "ipv4");
    else this.#addresses.addSubnet(address, prefix, "ipv6");
    return true;
  }
}

function dotted(ipv4: number): string {
  return `${ipv4 >>> 24}.${(ipv4 >>> 16) & 255}.${(ipv4 >>> 8) & 255}.${ipv4 & 255}`;
}

/** What the extractors' own `key` functions return begins with the kind of key. */
const KEY = /^(?:ip|user|api|header|route|custom|all):./s;
