/** The exclusive end of the doubles in which every whole number and its neighbours are exact. */
const EXACT: number = 2 ** 53;

/**
 * `floor(a * b / c)`, exact although `a * b` may pass 2^53. Twin of `redis/multiply-divide.lua`.
 *
 * @param a - whole, 0 to 2^51.
 * @param b - whole, 0 to `c`.
 * @param c - whole, 1 to 2^41.
 */
export function multiplyDivide(a: number, b: number, c: number): number {
  const product = a * b;
  // A rounded product below 2^53 was not rounded, and the quotient of two exact numbers never rounds up to a whole one.
  return product < EXACT ? Math.floor(product / c) : multiplyDivideInDigits(a, b, c);
}

/** Long division: digits of `a` in base 2^11 come down one by one, and a remainder below `c` shifted by one digit stays below 2^52. */
function multiplyDivideInDigits(a: number, b: number, c: number): number {
  let quotient = 0;
  let remainder = 0;
  for (let unit = 2 ** 44; unit >= 1; unit /= 2 ** 11) {
    const digit = Math.floor(a / unit) % 2 ** 11;
    const dividend = remainder * 2 ** 11 + digit * b;
    const quotientDigit = Math.floor(dividend / c);
    quotient = quotient * 2 ** 11 + quotientDigit;
    remainder = dividend - quotientDigit * c;
  }
  return quotient;
}

/**
 * The largest `b` with `floor(a * b / c) <= most`, exact although the products may pass 2^53.
 *
 * @param a - whole, 1 to 2^51.
 * @param c - whole, 1 to 2^41.
 * @param most - whole, 0 to `a - 1`; then the result is below `c`.
 */
export function largestMultiplier(a: number, c: number, most: number): number {
  const bound = (most + 1) * c;
  if (bound < EXACT) return Math.floor((bound - 1) / a);
  // Below 2^41 a double keeps twelve bits behind the point, so the guess is less than one off.
  let b = Math.min(Math.floor(((most + 1) / a) * c), c - 1);
  while (multiplyDivide(a, b, c) > most) b -= 1;
  while (multiplyDivide(a, b + 1, c) <= most) b += 1;
  return b;
}
