import { AforoError, got } from "../domain/errors.ts";
import type { RequestView } from "./request-view.ts";

/**
 * The client's address as the framework tells it, or `undefined` when the request has none. To find it, frameworks run
 * functions of the application: one that throws, or makes the address anything but text, leaves the request without.
 *
 * @param failed - is told why; left out where somebody else is.
 */
export function callerAddress(request: RequestView, failed?: (error: unknown) => void): string | undefined {
  try {
    const address: unknown = request.ip;
    if (typeof address === "string") return address;
    if (address !== undefined && address !== null)
      failed?.(new AforoError("ERR_AFORO_INVALID_KEY", `the address of a request must be text, ${got(address)}`));
  } catch (error) {
    failed?.(error);
  }
  return undefined;
}
