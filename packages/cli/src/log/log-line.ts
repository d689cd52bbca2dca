import type { AddressKey } from "../callers/address.ts";
import type { CallerTable } from "../callers/caller-table.ts";

/** One request as its line in the log tells of it; valid until the next line is read. */
export interface LogLine {
  /** When it happened, whole epoch ms. */
  readonly time: number;
  /** The client's number in `callers`, by address. */
  address(callers: CallerTable, key: AddressKey): number;
  /**
   * A field as text: `ip`, `user`, `method`, `path` (with its query), `status`, `agent`, `referer`, or whatever
   * the format calls it (JSON: a path such as `req.headers.x-api-key`). `undefined` where it is missing or `-`.
   */
  field(name: string): string | undefined;
  /** A request header by lower-case name, where the log has it. */
  header(name: string): string | undefined;
  /** A copy that stays valid. */
  snapshot(): LogLine;
}

/** Why a line is not a request: a short sentence that says what was expected. */
export type Fault = string;

/** Told of a line that is no request: its number within the block, from 0, and its text. */
type Refuse = (index: number, text: string, fault: Fault) => void;

/** Reads the lines of one format. */
export interface LogParser {
  /** Reads a block of whole lines, and gives those that are requests to `accept`; returns how many lines there were, empty ones included. */
  readBlock(block: Buffer, accept: (line: LogLine) => void, refuse: Refuse): number;
}
