import { ConfigError, got } from "../domain/errors.ts";
import { requireKnownOptions } from "../domain/options.ts";

/** Shares of decisions, 0 to 1 each. */
export interface SampleShares {
  /** @defaultValue 1 */
  readonly admitted?: number;
  /** @defaultValue 1 */
  readonly denied?: number;
}

/** One share for all decisions, or one for each outcome. */
export type Sample = number | SampleShares;

/** Picks decisions at random, each by itself. */
export class Sampler {
  readonly #admitted: number;
  readonly #denied: number;
  readonly #largest: number;
  readonly #random: () => number;

  /** @throws {@link ConfigError} for anything that is no share. */
  constructor(sample: unknown, random: () => number = Math.random) {
    const { admitted, denied } = sharesOf(sample);
    this.#admitted = admitted;
    this.#denied = denied;
    this.#largest = Math.max(admitted, denied);
    this.#random = random;
  }

  /**
   * Draws a lot before the decision, so that what will not be picked either way costs nothing more.
   * @returns `undefined` for none.
   */
  draw(): number | undefined {
    const lot = this.#random();
    return lot < this.#largest ? lot : undefined;
  }

  /** Whether a lot that was drawn wins, now that the outcome is known. */
  wins(lot: number, allowed: boolean): boolean {
    return lot < (allowed ? this.#admitted : this.#denied);
  }
}

/** Refuses anything but a number from 0 to 1. */
export function requireShare(option: string, value: unknown): number {
  if (typeof value === "number" && value >= 0 && value <= 1) return value;
  throw new ConfigError("ERR_AFORO_INVALID_OPTION", `"${option}" must be a share from 0 to 1, ${got(value)}`);
}

function sharesOf(sample: unknown): Required<SampleShares> {
  if (typeof sample !== "object" || sample === null) {
    const share = requireShare("sample", sample);
    return { admitted: share, denied: share };
  }
  requireKnownOptions("sample", sample, ["admitted", "denied"]);
  const { admitted = 1, denied = 1 } = sample as SampleShares;
  return { admitted: requireShare("sample.admitted", admitted), denied: requireShare("sample.denied", denied) };
}
