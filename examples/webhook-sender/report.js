/** What the deliveries show, as text, and whether it is what the rate promises. */
export function report(deliveries, senders) {
  const first = deliveries[0]?.at ?? 0;
  const times = deliveries.map(({ at }) => at - first).sort((a, b) => a - b);
  const gaps = times
    .slice(1)
    .map((time, index) => time - times[index])
    .sort((a, b) => a - b);
  const perSecond = Array.from({ length: Math.ceil((times.at(-1) + 1) / 1_000) }, (_, second) =>
    senders.map(
      (name) =>
        deliveries.filter(({ sender, at }) => sender === name && Math.floor((at - first) / 1_000) === second).length,
    ),
  );
  const ordered = senders.every((name) => {
    const numbers = deliveries.filter(({ sender }) => sender === name).map(({ number }) => number);
    return numbers.every((number, index) => number === index);
  });
  // Any 10 gaps in a row span a second, give or take how late a timer or the network was.
  const busiest = mostWithin(times, 1_000);
  const lines = [
    "",
    "second  " + senders.map((name) => `process ${name}`).join("  ") + "  together",
    ...perSecond.map((counts, second) => {
      const cells = counts.map((count) => String(count).padStart(9));
      return `${String(second).padStart(6)}  ${cells.join("  ")}  ${String(counts.reduce((a, b) => a + b)).padStart(8)}`;
    }),
    "",
    `deliveries            ${times.length}`,
    `duration              ${(times.at(-1) / 1_000).toFixed(1)} s`,
    `spacing               median ${at(gaps, 0.5)} ms, 5 % below ${at(gaps, 0.05)} ms, 5 % above ${at(gaps, 0.95)} ms`,
    `most in any second    ${busiest}`,
    `order in each process ${ordered ? "kept" : "BROKEN"}`,
  ];
  return { text: lines.join("\n"), sound: ordered && busiest <= 13 };
}

function mostWithin(times, ms) {
  let most = 0;
  let from = 0;
  for (let to = 0; to < times.length; to++) {
    while (times[to] - times[from] >= ms) from++;
    most = Math.max(most, to - from + 1);
  }
  return most;
}

function at(sorted, share) {
  return (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(1);
}
