import type { WaitSource } from "../headers/stated-wait.ts";

/** A retry that is about to be waited for. */
export interface RetryEvent {
  /** 1 for the first retry. */
  readonly retry: number;
  readonly url: string;
  readonly method: string;
  /** How long the call will wait, in milliseconds, jitter included. */
  readonly waitMs: number;
  /** Which header the wait was taken from, or that none was usable. */
  readonly source: WaitSource;
  /** The status that is retried; `undefined` after a network error. */
  readonly status: number | undefined;
  /** The network error that is retried. */
  readonly error: unknown;
}

/** Why a call that failed was not tried again; the first that applies. */
export type GiveUpReason =
  | "retries-exhausted" // maxRetries were made
  | "method" // the method is not in `methods`, or not idempotent and the request was perhaps carried out
  | "body" // the body is a stream that can be sent once
  | "never-admissible" // the problem type says that waiting is of no use
  | "wait-above-cap" // the stated wait is longer than maxDelayMs
  | "wait-above-deadline" // the wait would not end before the deadline
  | "retry-budget"; // retries are already too large a share of the requests

/** A failed call that goes back to the caller as it is. */
export interface GiveUpEvent {
  readonly reason: GiveUpReason;
  /** Requests that were sent, 1 or more. */
  readonly attempts: number;
  readonly url: string;
  readonly method: string;
  /** The wait that would have been needed, in milliseconds; `undefined` where it was not asked for. */
  readonly waitMs: number | undefined;
  readonly status: number | undefined;
  readonly error: unknown;
}

/** What `isStillUseful` is asked about. */
export interface UsefulnessQuestion {
  /** The request that would be sent next; 1 for the first. */
  readonly attempt: number;
  readonly url: string;
  readonly method: string;
  /** The first argument of the call. */
  readonly input: unknown;
  /** The second argument of the call. */
  readonly init: unknown;
}
