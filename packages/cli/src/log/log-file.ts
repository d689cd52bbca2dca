import { RunError, UsageError } from "../usage-error.ts";
import type { BadLines } from "./bad-lines.ts";
import { gunzipped, lineBlocks, readBytes } from "./blocks.ts";
import type { EntryQueue } from "./entry-queue.ts";
import { parserFor, type FormatOptions } from "./log-format.ts";
import type { LogLine, LogParser } from "./log-line.ts";

export interface LogFileOptions {
  readonly format: FormatOptions;
  readonly badLines: BadLines;
  /** Where the file's requests go. */
  readonly queue: EntryQueue;
  /** Puts a request into the queue. */
  readonly accept: (line: LogLine, queue: EntryQueue) => void;
  /** Told of each piece of the file, as it is stored. */
  readonly onRead: (bytes: number) => void;
}

/** One log file that is read block by block, as its requests are asked for. */
export class LogFile {
  readonly name: string;
  readonly queue: EntryQueue;
  readonly #options: LogFileOptions;
  readonly #blocks: AsyncGenerator<Buffer>;
  #parser: LogParser | undefined;
  #lines = 0;
  #ended = false;

  /** @param name - a path, or `-` for standard input. */
  constructor(name: string, options: LogFileOptions) {
    this.name = name;
    this.queue = options.queue;
    this.#options = options;
    this.#blocks = lineBlocks(gunzipped(readBytes(name, options.onRead)));
  }

  /** Lines read so far. */
  get lines(): number {
    return this.#lines;
  }

  /**
   * Reads on until a request may leave the queue.
   *
   * @returns its time; `undefined` when there are no more.
   * @throws {@link RunError} when the file cannot be read.
   */
  async next(): Promise<number | undefined> {
    while (!this.queue.ready(this.#ended)) {
      if (this.#ended) return undefined;
      await this.#readBlock();
    }
    return this.queue.headTime();
  }

  /** As {@link next}, without reading on: `-1` when that is needed first. */
  nextAtHand(): number {
    return this.queue.ready(this.#ended) ? this.queue.headTime() : -1;
  }

  async close(): Promise<void> {
    await this.#blocks.return(undefined);
  }

  async #readBlock(): Promise<void> {
    const { value: block, done } = await this.#blocks.next().catch((error: unknown) => this.#fail(error));
    if (done === true) {
      this.#ended = true;
      return;
    }
    const { format, badLines, accept } = this.#options;
    this.#parser ??= parserFor(this.name, firstLineOf(block), format);
    this.#lines += this.#parser.readBlock(
      block,
      (line) => accept(line, this.queue),
      (index, text, fault) => badLines.add(this.name, this.#lines + index + 1, text, fault),
    );
  }

  #fail(error: unknown): never {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new UsageError(`${this.name}: no such file`);
    if (code?.startsWith("Z_") === true)
      throw new RunError(
        `${this.name}: the gzip data is damaged or ends too early (${message}), after line ${this.#lines}`,
      );
    throw new RunError(`${this.name}: ${message}`, { cause: error });
  }
}

function firstLineOf(block: Buffer): string {
  const start = block.findIndex((byte) => byte > 32);
  return block.toString("utf8", Math.max(0, start), Math.max(0, block.indexOf(10, start))).trim();
}
