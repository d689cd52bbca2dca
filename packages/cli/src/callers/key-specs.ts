import { ip } from "@aforo/core";
import { parseKeySpec, type KeySpec, type Normalize } from "./key-spec.ts";

/** The limiter's own word for text that is no address. */
const NO_ADDRESS = "ip:unknown";

/** Spells addresses by the limiter's own rules. */
export function limiterSpelling(): Normalize {
  const byPrefix = new Map<number, (text: string) => string>();
  return (text, prefix) => {
    let keyOf = byPrefix.get(prefix);
    if (keyOf === undefined) byPrefix.set(prefix, (keyOf = keysBy(prefix)));
    const key = keyOf(text);
    return key === NO_ADDRESS ? undefined : key.slice("ip:".length);
  };
}

function keysBy(ipv6Prefix: number): (text: string) => string {
  const extractor = ip({ ipv6Prefix });
  return (text) => extractor.key(text);
}

/** The key specifications of a run: policies with the same one share its callers. */
export class KeySpecs {
  readonly specs: KeySpec[] = [];
  readonly #normalize: Normalize;

  constructor(normalize: Normalize) {
    this.#normalize = normalize;
  }

  /** The place of a specification among all of them. */
  indexOf(text: string): number {
    const index = this.specs.findIndex((spec) => spec.text === text);
    return index >= 0 ? index : this.specs.push(parseKeySpec(text, this.#normalize)) - 1;
  }
}
