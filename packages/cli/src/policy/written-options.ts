/** Options as a file holds them: keys may be texts as on the command line, and `match` says which routes are of which class. */
export interface WrittenOptions {
  readonly key?: unknown;
  readonly policies?: readonly WrittenOptions[];
  readonly match?: Readonly<Record<string, string | readonly string[]>>;
  readonly [option: string]: unknown;
}
