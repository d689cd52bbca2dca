/**
 * The middle of them, which a few disturbed rounds do not move.
 * @param {readonly number[]} numbers
 */
export function median(numbers) {
  return quantile(numbers, 0.5);
}

/**
 * @param {readonly number[]} numbers
 * @param {number} share 0 to 1
 */
export function quantile(numbers, share) {
  const sorted = numbers.slice().sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

/**
 * Two series of one set of rounds, compared round by round: what disturbed a round disturbed both.
 * @param {readonly number[]} ours
 * @param {readonly number[]} theirs
 */
export function ratioByRound(ours, theirs) {
  return median(ours.map((value, round) => value / (theirs[round] ?? NaN)));
}
