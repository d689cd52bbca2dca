/** How much of a share above (or below) the expected one is turned into speed at each answer, and the most it may be. */
const GAIN = 0.6;
const LARGEST_STEP = 0.2;
/** How much a refusal slows down, when it follows another one at once; n admissions between make it 1/(n + 1) of that. */
const REFUSAL_STEP = 0.05;
/** Below this share of the quota, pacing begins. */
const RELAXED_SHARE = 0.5;
/** The slot doubles when the interval is this much longer than it, and halves when the interval is this much shorter. */
const DOUBLE_ABOVE = 1.4;
const HALVE_BELOW = 1 / 2.01;
/** Without an answer for so many windows, what was learned is no longer true. */
const WINDOWS_REMEMBERED = 20;

/**
 * The time between two requests under one policy, learned from what is left and from refusals.
 *
 * Others may use the same quota, and nobody says how many. So the interval shrinks while some is left and grows with each
 * refusal, and requests go in slots whose length is a power of two: the slots of all clients are harmonic, so that those
 * who found a free place in the window keep it instead of drifting into each other.
 */
export class SendInterval {
  readonly #random: () => number;
  #intervalMs = 0;
  #slotMs = 0;
  #nextAt = 0;
  #heldUntil = 0;
  #sentAt: number | undefined;
  #meanGapMs = 0;
  #wasHeld = false;
  #admittedSinceRefusal = 0;

  constructor(random: () => number) {
    this.#random = random;
  }

  get readyAt(): number {
    return Math.max(this.#nextAt, this.#heldUntil);
  }

  /** A request goes. @param freeShare - of the quota, left when all requests under way are served */
  sent(now: number, freeShare: number, unitMs: number, windowMs: number): void {
    const longestMs = WINDOWS_REMEMBERED * windowMs;
    if (this.#sentAt !== undefined) {
      if (now - this.#sentAt > longestMs) this.#intervalMs = 0;
      const gapMs = Math.min(now - this.#sentAt, longestMs);
      this.#meanGapMs += (gapMs - this.#meanGapMs) * (this.#meanGapMs === 0 ? 1 : 0.25);
    }
    this.#sentAt = now;
    if (this.#intervalMs === 0 && freeShare < RELAXED_SHARE) this.#intervalMs = Math.max(unitMs, this.#meanGapMs);
    this.#wasHeld = now - this.#nextAt < 5;
    this.#fitSlot();
    // From slot to slot, not from one late timer to the next.
    const dueAt = now - this.#nextAt < this.#slotMs / 2 ? this.#nextAt : now;
    this.#nextAt = dueAt + this.#slotMs;
  }

  /** An admission. @param share - of the quota, left @param expected - what ought to be left */
  admitted(share: number, expected: number, unitMs: number): void {
    this.#admittedSinceRefusal += 1;
    if (this.#intervalMs === 0) return;
    // Only who was kept waiting learns that it could have gone faster.
    if (this.#wasHeld || share < expected) this.#intervalMs *= 1 - clamp(GAIN * (share - expected), LARGEST_STEP);
    if (share >= RELAXED_SHARE && this.#intervalMs < unitMs / 4) this.#intervalMs = 0;
  }

  /** A refusal, with the wait that it asks for. */
  refused(waitMs: number, unitMs: number, now: number): void {
    const slowest = Math.max(this.#intervalMs, this.#meanGapMs, this.#intervalMs === 0 ? unitMs : 0);
    this.#intervalMs = slowest * (1 + REFUSAL_STEP / (1 + this.#admittedSinceRefusal));
    this.#admittedSinceRefusal = 0;
    // Anywhere in the next interval: coming back with the crowd would meet the crowd again.
    this.#nextAt = 0;
    this.#heldUntil = Math.max(this.#heldUntil, now + waitMs + this.#random() * this.#intervalMs);
  }

  #fitSlot(): void {
    if (this.#intervalMs === 0) {
      this.#slotMs = 0;
      return;
    }
    if (this.#slotMs === 0) this.#slotMs = 2 ** Math.ceil(Math.log2(this.#intervalMs));
    while (this.#intervalMs > this.#slotMs * DOUBLE_ABOVE) this.#slotMs *= 2;
    while (this.#intervalMs < this.#slotMs * HALVE_BELOW) this.#slotMs /= 2;
  }
}

function clamp(value: number, size: number): number {
  return Math.min(size, Math.max(-size, value));
}
