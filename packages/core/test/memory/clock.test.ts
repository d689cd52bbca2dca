import { turnClock, type ClockSources } from "../../src/memory/clock.ts";

interface Machine extends ClockSources {
  wallMs: number;
  monotonicMs: number;
  /** How often the time was read. */
  reads: number;
  cacheable: boolean;
  /** Lets `ms` pass on both clocks. */
  pass(ms: number): void;
  endTurn(): void;
}

function machine(): Machine {
  let callbacks: (() => void)[] = [];
  return {
    wallMs: 1_700_000_000_000,
    monotonicMs: 5_000.25,
    reads: 0,
    cacheable: true,
    wall() {
      return this.wallMs;
    },
    monotonic() {
      this.reads++;
      return this.monotonicMs;
    },
    afterTurn(callback) {
      callbacks.push(callback);
    },
    isReal() {
      return this.cacheable;
    },
    pass(ms) {
      this.wallMs += ms;
      this.monotonicMs += ms;
    },
    endTurn() {
      const due = callbacks;
      callbacks = [];
      for (const callback of due) callback();
    },
  };
}

describe("the clock of the memory store", () => {
  test("gives whole milliseconds since the epoch", () => {
    const sources = machine();
    const clock = turnClock(sources);
    expect(clock()).toBe(1_700_000_000_000);
    sources.endTurn();
    sources.pass(1.6);
    expect(clock()).toBe(1_700_000_000_001);
  });

  test("is read once in a turn of the event loop", () => {
    const sources = machine();
    const clock = turnClock(sources);
    clock();
    const { reads } = sources;
    sources.pass(3);
    expect(clock()).toBe(1_700_000_000_000);
    expect(sources.reads).toBe(reads);
    sources.endTurn();
    expect(clock()).toBe(1_700_000_000_003);
    expect(sources.reads).toBe(reads + 1);
  });

  test("is read again after 32 calls, so that a loop without turns sees time pass", () => {
    const sources = machine();
    const clock = turnClock(sources);
    for (let call = 0; call < 32; call++) {
      expect(clock()).toBe(1_700_000_000_000);
      if (call === 0) sources.pass(7);
    }
    expect(clock()).toBe(1_700_000_000_007);
  });

  test("goes on when wall time is set back", () => {
    const sources = machine();
    const clock = turnClock(sources);
    clock();
    sources.endTurn();
    sources.pass(10);
    sources.wallMs -= 3_600_000;
    expect(clock()).toBe(1_700_000_000_010);
  });

  test("follows wall time that leads by more than a second, and no less", () => {
    const sources = machine();
    const clock = turnClock(sources);
    clock();
    sources.endTurn();
    sources.wallMs += 1_000;
    expect(clock()).toBe(1_700_000_000_000);
    sources.endTurn();
    sources.wallMs += 1;
    expect(clock()).toBe(1_700_000_001_001);
    sources.endTurn();
    sources.pass(5);
    expect(clock()).toBe(1_700_000_001_006);
  });

  test("never goes back, whatever its sources do", () => {
    const sources = machine();
    const clock = turnClock(sources);
    let latest = clock();
    for (const [wall, monotonic] of [
      [5_000, 0],
      [-9_000, 2],
      [0, -400],
      [20_000, -100],
      [-1, 1],
    ] as const) {
      sources.endTurn();
      sources.wallMs += wall;
      sources.monotonicMs += monotonic;
      const now = clock();
      expect(now).toBeGreaterThanOrEqual(latest);
      latest = now;
    }
  });

  test("is read at each call while a test has replaced the process's clock", () => {
    const sources = machine();
    sources.cacheable = false;
    const clock = turnClock(sources);
    clock();
    sources.pass(2);
    expect(clock()).toBe(1_700_000_000_002);
  });

  test("follows fake timers, whether they are told to advance or to jump", () => {
    const clock = turnClock();
    clock();
    jest.useFakeTimers();
    try {
      const start = clock();
      expect(start).toBe(Date.now());
      jest.advanceTimersByTime(300);
      expect(clock()).toBe(start + 300);
      jest.setSystemTime(start + 10_000);
      expect(clock()).toBe(start + 10_000);
    } finally {
      jest.useRealTimers();
    }
  });

  test("keeps to the time of the process", async () => {
    const clock = turnClock();
    const earliest = Date.now();
    const time = clock();
    // Within the second by which wall time may lead unheeded.
    expect(time).toBeGreaterThan(earliest - 1_000);
    expect(time).toBeLessThan(Date.now() + 1_000);
    const [before, started] = [clock(), performance.now()];
    await new Promise(setImmediate);
    while (performance.now() < started + 2);
    expect(clock()).toBeGreaterThanOrEqual(before + 1);
  });
});
