/**
 * @typedef {import("./fleet.js").Fleet} Fleet
 * @typedef {import("./fleet.js").Tally} Tally
 */

/**
 * Both fleets side by side, and how they compare.
 * @param {Fleet} fleet
 * @param {Tally} plain
 * @param {Tally} paced
 */
export function table({ limitPerSecond, seconds }, plain, paced) {
  const lines = [
    row("", ["wanted", "429s", "given up", "completed", "of the limit"]),
    ...[
      { name: "plain exponential backoff", tally: plain },
      { name: "@aforo/client", tally: paced },
    ].map(({ name, tally: { wanted, rejected, failed, completed } }) =>
      row(name, [wanted, rejected, failed, completed, share(completed, limitPerSecond * seconds)]),
    ),
    "",
    `429s: ${share(plain.rejected - paced.rejected, plain.rejected)} fewer with the client`,
  ];
  return lines.join("\n");
}

/**
 * @param {string} name
 * @param {readonly (string | number)[]} cells
 */
function row(name, cells) {
  return name.padEnd(26) + cells.map((cell) => String(cell).padStart(14)).join("");
}

/**
 * @param {number} part
 * @param {number} whole
 */
function share(part, whole) {
  return whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`;
}
