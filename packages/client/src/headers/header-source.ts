/** What is read of a response's headers; every `Headers` class has it. */
export interface HeaderSource {
  /** The value, several lines joined by `", "`; `null` when absent. Names are case-insensitive. */
  get(name: string): string | null;
}
