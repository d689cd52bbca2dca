/** Adds header names to an `Access-Control-Expose-Headers` that may be there; keeps what is, repeats none. */
export function exposedNames(existing: string | undefined, names: readonly string[]): string {
  if (existing === undefined || existing.trim() === "") return names.join(", ");
  const present = new Set(existing.split(",").map((name) => name.trim().toLowerCase()));
  const missing = names.filter((name) => !present.has(name.toLowerCase()));
  return missing.length === 0 ? existing : `${existing}, ${missing.join(", ")}`;
}
