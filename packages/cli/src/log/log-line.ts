import type { AddressKey } from "../callers/address.ts";
import type { CallerTable } from "../callers/caller-table.ts";

/** One request as its line in the log tells of it; valid until the next line is read. */
export interface LogLine {
  /** When it happened, whole epoch ms. */
  readonly time: number;
  /** The client's number in `callers` by address in `callers`. */
  address(callers: CallerTable, key: AddressKey): number;
  /**
   * A field as text: `ip`, `user`, `method`, `path` (with its query), `status`, `agent`, `referer`, or whatever
   * the format calls it (JSON: a path such as `req.headers.x-api-key`). `undefined` where it is missing or `-`.
   */
  field(name: string): string | undefined;
  /** A request header by lower-case name, where the log has it. */
  header(name: string): string | undefined;
}

/** Why a line is not a request: a short sentence that says what was expected. */
export type Fault = string;

/**
 * Reads the lines of one format.
 *
 * @param accept - called for each line that is a request.
 * @param refuse - called for each that is not, with its number within the block (from 0) and its text.
 */
export interface LogParser {
  /** Reads a block of whole lines; returns how many there were, empty ones included. */
  readBlock(block: Buffer, accept: (line: LogLine) => void, refuse: (index: number, text: string, fault: Fault) => void): number;
}
