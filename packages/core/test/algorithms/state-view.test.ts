import { viewState } from "../../src/algorithms/state-view.ts";
import type { AlgorithmName } from "../../src/domain/algorithm-name.ts";
import type { StateView } from "../../src/domain/store.ts";
import { policyOf, stateOf } from "../support/state.ts";

const NOW = 1_699_920_090_000;

const VIEWS: Record<AlgorithmName, Omit<StateView, "blockedUntil">> = {
  "fixed-window": { used: 3, current: 3, mark: 1_699_920_060_000 },
  "sliding-window-log": { used: 7, entries: 2, mark: NOW },
  "sliding-window-counter": { used: 5, current: 3, previous: 4, mark: 1_699_920_060_000 },
  "token-bucket": { used: 3, mark: NOW },
  gcra: { used: 3, mark: NOW + 18_000 },
  "leaky-bucket": { used: 3, mark: NOW },
};

for (const [algorithm, view] of Object.entries(VIEWS)) {
  test(`${algorithm}: a state is told in plain numbers`, () => {
    const policy = policyOf(algorithm as AlgorithmName, { limit: 10, window: 60_000 });
    const state = stateOf(policy);
    state.consume(NOW - 40_000, 4);
    state.consume(NOW, 3);
    expect(viewState(policy, state.cells(), 0, NOW, 0)).toEqual({ ...view, blockedUntil: 0 });
    expect(viewState(policy, state.cells(), 0, NOW, NOW + 1)).toEqual({ ...view, blockedUntil: NOW + 1 });
    expect(viewState(policy, state.cells(), 0, state.staleAt(), 0)).toBeUndefined();
  });

  test(`${algorithm}: a state that was never seen, or whose mark is not credible, is absent`, () => {
    const policy = policyOf(algorithm as AlgorithmName, { limit: 10, window: 60_000 });
    const state = stateOf(policy);
    expect(viewState(policy, state.cells(), 0, NOW, NOW)).toBeUndefined();
    expect(viewState(policy, state.cells(), 0, NOW, NOW + 5)).toEqual({ used: 0, mark: 0, blockedUntil: NOW + 5 });
    state.consume(NOW, 1);
    expect(viewState(policy, state.cells(), 0, NOW - 3 * 60_000 - 1, 0)).toBeUndefined();
  });
}
