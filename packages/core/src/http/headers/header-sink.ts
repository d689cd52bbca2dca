/** Where headers go: the response, or also a record of them. */
export interface HeaderSink {
  setHeader(name: string, value: string): void;
}
