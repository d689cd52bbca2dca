const PERCENT = 0x25;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/**
 * A state key as text that can stand in a hash tag and in UTF-8, different for different keys: braces,
 * per cents and surrogates without their other half are spelt by their number, and so is "nothing".
 */
export function keyText(stateKey: string): string {
  for (let i = 0; i < stateKey.length; i++) {
    const unit = stateKey.charCodeAt(i);
    if (unit === PERCENT || unit === OPEN || unit === CLOSE || isSurrogate(unit)) return escaped(stateKey);
  }
  return stateKey === "" ? "%0" : stateKey;
}

function escaped(stateKey: string): string {
  let text = "";
  // By code points: the halves of a pair come together, a half without the other comes alone.
  for (const character of stateKey) {
    const unit = character.charCodeAt(0);
    const spelt = unit === PERCENT || unit === OPEN || unit === CLOSE || (character.length === 1 && isSurrogate(unit));
    text += spelt ? `%${unit.toString(16).padStart(4, "0")}` : character;
  }
  return text;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}
