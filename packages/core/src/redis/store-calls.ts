import { readClock, type Clock } from "../domain/clock.ts";
import { StoreError } from "../domain/errors.ts";
import type { Answering, CallOptions, Check } from "../domain/store.ts";
import { Batcher } from "./batcher.ts";
import type { RedisCommands } from "./commands/commands.ts";
import { hashSlot } from "./hash-slot.ts";
import { keyText } from "./key-text.ts";
import { ReplyCursor } from "./reply-cursor.ts";
import type { Verb } from "./request.ts";
import { ReadingRequest, type Reader } from "./requests.ts";

/** What the checks of one slot were answered. */
export interface Part<T> {
  /** Where these checks stood among all. */
  readonly indexes: readonly number[];
  readonly value: T;
}

const NONE: readonly string[] = [];

/** Names the keys of checks, and asks the batcher about them. */
export class StoreCalls {
  readonly #prefix: string;
  readonly #clustered: boolean;
  readonly #clock: Clock | undefined;
  readonly #batcher: Batcher;
  /** What all keys of the space asked about last begin with. */
  #head = "";
  #lastSpace = "";
  #closed = false;

  constructor(commands: RedisCommands, prefix: string, clock: Clock | undefined) {
    this.#prefix = (commands.keyPrefix ?? "") + prefix;
    this.#clustered = commands.clustered === true;
    this.#clock = clock;
    this.#batcher = new Batcher(commands, clock);
  }

  /** Whether one script call cannot decide these checks, since their keys lie in different slots. */
  spread(checks: readonly Check[]): boolean {
    return this.#clustered && checks.length > 1 && this.#bySlot(checks).length > 1;
  }

  /** Asks about checks of one slot. */
  ask<T>(
    verb: Verb,
    checks: readonly Check[],
    extras: readonly number[] | undefined,
    options: CallOptions | undefined,
    reader: Reader<T>,
  ): Promise<T> {
    const deadline = options?.deadline ?? Infinity;
    return new Promise<T>((settle, fail) => this.askInto(verb, checks, extras, reader, 0, { deadline, settle, fail }));
  }

  /** As {@link ask}, without a promise. */
  askInto<T>(
    verb: Verb,
    checks: readonly Check[],
    extras: readonly number[] | undefined,
    reader: Reader<T>,
    stamp: number,
    to: Answering<T>,
  ): void {
    if (this.#closed) return to.fail(new StoreError("ERR_AFORO_CLOSED", "this Redis store was closed"));
    if (checks.length === 0) return to.settle(this.#unasked(reader));
    const key = this.#keyOf(checks[0] as Check);
    const more = checks.length === 1 ? NONE : checks.slice(1).map((check) => this.#keyOf(check));
    this.#batcher.add(new ReadingRequest(verb, checks, key, more, extras, reader, stamp, to));
  }

  /**
   * Asks about checks of any slots; rejects when one of the calls does.
   *
   * @param extras - what each check brings along.
   */
  inSlots<T>(
    verb: Verb,
    checks: readonly Check[],
    extras: readonly (readonly number[])[] | undefined,
    options: CallOptions | undefined,
    reader: Reader<T>,
  ): Promise<Part<T>[]> {
    return Promise.all(this.partsInSlots(verb, checks, extras, options, reader));
  }

  /** As {@link inSlots}, one promise for each slot. */
  partsInSlots<T>(
    verb: Verb,
    checks: readonly Check[],
    extras: readonly (readonly number[])[] | undefined,
    options: CallOptions | undefined,
    reader: Reader<T>,
  ): Promise<Part<T>>[] {
    return this.#bySlot(checks).map(async (indexes) => {
      const some = indexes.map((index) => checks[index] as Check);
      const theirs = extras === undefined ? undefined : indexes.flatMap((index) => extras[index] ?? []);
      return { indexes, value: await this.ask(verb, some, theirs, options, reader) };
    });
  }

  close(): void {
    this.#closed = true;
  }

  #bySlot(checks: readonly Check[]): readonly (readonly number[])[] {
    if (!this.#clustered || checks.length === 0) return [checks.map((_, index) => index)];
    const slots = new Map<number, number[]>();
    for (const [index, check] of checks.entries()) {
      const slot = hashSlot(this.#keyOf(check));
      const group = slots.get(slot);
      if (group === undefined) slots.set(slot, [index]);
      else group.push(index);
    }
    return [...slots.values()];
  }

  /** What is answered about nothing: the time, which is then this process's own. */
  #unasked<T>(reader: Reader<T>): T {
    const now = this.#clock === undefined ? Date.now() : readClock(this.#clock);
    return reader(new ReplyCursor(""), now, [], performance.now(), 0) as T;
  }

  #keyOf({ policy, stateKey }: Check): string {
    const text = keyText(stateKey);
    if (policy.space !== this.#lastSpace) {
      this.#lastSpace = policy.space;
      this.#head = this.#prefix + policy.space;
    }
    // In a Cluster the key alone is the hash tag: all policies of one key share a slot.
    return this.#clustered ? `${this.#head}{${text}}` : this.#head + text;
  }
}

/** Puts what belongs to the checks of each slot back into the order of all. */
export function inOrder<T>(
  parts: readonly { indexes: readonly number[]; values: readonly T[] }[],
  length: number,
): T[] {
  const ordered = Array.from<T>({ length });
  for (const { indexes, values } of parts) for (const [i, index] of indexes.entries()) ordered[index] = values[i] as T;
  return ordered;
}
