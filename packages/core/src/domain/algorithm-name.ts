export const ALGORITHMS = [
  "fixed-window",
  "sliding-window-log",
  "sliding-window-counter",
  "token-bucket",
  "gcra",
  "leaky-bucket",
] as const;

/** How a policy counts; see docs/algorithms.md for what each promises. */
export type AlgorithmName = (typeof ALGORITHMS)[number];
