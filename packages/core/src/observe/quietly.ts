/** Calls a listener of the application, which can neither break what it is told of nor, when it is asynchronous, end the process. */
export function quietly(call: () => unknown): void {
  try {
    const answer = call();
    if (typeof answer === "object" && answer !== null) Promise.resolve(answer).catch(ignore);
  } catch {
    // Its own affair.
  }
}

function ignore(): void {
  // Its own affair as well.
}
