/** What is known of one credential. */
export interface Verdict {
  /** The key it stands for, or `undefined` when nobody vouches for it. */
  readonly key: string | undefined;
  readonly until: number;
}

/**
 * Remembers verdicts for a while, so that not every request asks the application. Vouched and unknown credentials
 * live apart: made-up ones, of which there is no end, cannot push out the others.
 */
export class Verdicts {
  readonly #vouched = new Map<string, Verdict>();
  readonly #unknown = new Map<string, Verdict>();
  readonly #max: number;
  readonly #now: () => number;

  /** @param max - of each kind; the oldest go first. */
  constructor(max: number, now: () => number) {
    this.#max = max;
    this.#now = now;
  }

  get(credential: string): Verdict | undefined {
    const verdict = this.#vouched.get(credential) ?? this.#unknown.get(credential);
    return verdict !== undefined && verdict.until > this.#now() ? verdict : undefined;
  }

  set(credential: string, key: string | undefined, ms: number): void {
    this.#vouched.delete(credential);
    this.#unknown.delete(credential);
    if (ms === 0) return;
    const kind = key === undefined ? this.#unknown : this.#vouched;
    if (kind.size >= this.#max) kind.delete(kind.keys().next().value as string);
    kind.set(credential, { key, until: this.#now() + ms });
  }
}

/**
 * How often each address may have a credential looked up. What turns out to be vouched for does not count, so only
 * those who keep presenting unknown ones run out.
 */
export class Lookups {
  readonly #spent = new Map<string, { count: number; readonly until: number }>();
  readonly #max: number;
  readonly #perMinute: number;
  readonly #now: () => number;

  constructor(perMinute: number, max: number, now: () => number) {
    this.#perMinute = perMinute;
    this.#max = max;
    this.#now = now;
  }

  /** Takes one; `false` when none is left. */
  take(address: string): boolean {
    const now = this.#now();
    let spent = this.#spent.get(address);
    if (spent === undefined || spent.until <= now) {
      this.#spent.delete(address);
      if (this.#spent.size >= this.#max) this.#spent.delete(this.#spent.keys().next().value as string);
      spent = { count: 0, until: now + 60_000 };
      this.#spent.set(address, spent);
    }
    if (spent.count >= this.#perMinute) return false;
    spent.count++;
    return true;
  }

  giveBack(address: string): void {
    const spent = this.#spent.get(address);
    if (spent !== undefined && spent.count > 0) spent.count--;
  }
}
