/** The command line, or a file it names, asks for something that does not exist or make sense: exit code 2. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
}

/** The work could not be done: exit code 1. */
export class RunError extends Error {
  override readonly name: string = "RunError";
}
