import { AforoError, type ErrorCode } from "../../src/domain/errors.ts";

/** The error that `act` throws, which must be one of the suite's with this code. */
export function refusal(act: () => unknown, code: ErrorCode): AforoError {
  try {
    act();
  } catch (error) {
    if (!(error instanceof AforoError)) throw error;
    expect(error.code).toBe(code);
    return error;
  }
  throw new Error(`nothing was refused, though ${code} was expected`);
}
