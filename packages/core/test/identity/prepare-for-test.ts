import type { KeyContext, KeySource, PreparedKey } from "../../src/identity/key-source.ts";
import { prepareKey } from "../../src/identity/prepare.ts";
import { FakeExchange, type Asked } from "../http/fake-exchange.ts";

/** An extractor made ready for a limiter called "test", and what it complained of. */
export interface Prepared {
  readonly key: PreparedKey<object>;
  readonly failures: { readonly type: string; readonly kind: string; readonly error: unknown }[];
  readonly warnings: string[];
  of(asked?: Asked): ReturnType<PreparedKey<object>>;
}

export function prepared(source: KeySource<object>, timeoutMs: number = 1_000): Prepared {
  const failures: Prepared["failures"] = [];
  const warnings: string[] = [];
  const context: KeyContext = {
    limiter: "test",
    timeoutMs,
    failed: (type, kind, error) => void failures.push({ type, kind, error }),
    warn: (code) => void warnings.push(code),
  };
  const key = prepareKey(source, context);
  return { key, failures, warnings, of: (asked) => key(new FakeExchange(asked)) };
}
