/** The acceptance cases, by number. */
export const caseNumbers = Array.from({ length: 67 }, (_, index) => `A${String(index + 1).padStart(2, "0")}`);
