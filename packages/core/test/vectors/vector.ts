import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AlgorithmName } from "../../src/domain/algorithm-name.ts";

/** A policy of a vector; in order they are named p0, p1, … */
export interface VectorPolicy {
  readonly algorithm: AlgorithmName;
  readonly limit: number;
  readonly window: number;
  readonly burst?: number;
  readonly delayAfter?: number;
}

/** What one policy must answer; `null` stands for never. */
interface ExpectedPolicy {
  readonly remaining: number;
  readonly resetMs: number;
  readonly allowed?: boolean;
  readonly retryAfterMs?: number | null;
  readonly delayMs?: number;
}

/** What a step must answer. */
export interface Expected {
  readonly policies: readonly ExpectedPolicy[];
  readonly allowed?: boolean;
  readonly retryAfterMs?: number | null;
  readonly delayMs?: number;
}

interface At {
  /** Epoch ms. */
  readonly at: number;
  readonly expect: Expected;
}

export type Step =
  | (At & { readonly op: "consume" | "charge"; readonly costs: readonly number[] })
  | (At & { readonly op: "refund" | "raise"; readonly of: number; readonly costs: readonly number[] })
  | (At & { readonly op: "limits"; readonly limits: readonly number[] })
  | (At & { readonly op: "peek" | "reset" });

/** One key's history against one limiter's policies. */
export interface Vector {
  readonly policies: readonly VectorPolicy[];
  readonly steps: readonly Step[];
}

export interface VectorFile {
  readonly name: string;
  readonly vectors: readonly Vector[];
}

/** A published experiment: how many of these arrivals each policy admits. */
export interface Arrivals {
  readonly arrivalsMs: readonly number[];
  readonly results: Readonly<
    Record<string, { readonly policy: VectorPolicy; readonly allowed: number; readonly rejected: number }>
  >;
}

/** Every file of vectors beside this one. */
export function vectorFiles(): VectorFile[] {
  return readdirSync(__dirname)
    .filter((name) => name.endsWith(".json") && !name.startsWith("poisson-"))
    .map((name) => ({ name, ...(readJson(name) as { vectors: Vector[] }) }));
}

export function poissonArrivals(): Arrivals {
  return readJson("poisson-6rps-30s.json") as Arrivals;
}

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(join(__dirname, name), "utf8"));
}
