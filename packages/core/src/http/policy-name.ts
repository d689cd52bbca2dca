import { sha256 } from "../identity/digest.ts";

const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/** A policy's name for a place that may be called anything, such as `GET /otp/send`: readable, and never that of another place. */
export function policyNameOf(place: string): string {
  if (NAME.test(place)) return place;
  const readable = place
    .replace(/[^A-Za-z0-9_.]+/g, "-")
    .replace(/^[^A-Za-z0-9]+|-+$/g, "")
    .slice(0, 48);
  return `${readable === "" ? "place" : readable}-${sha256(place).slice(0, 10)}`;
}
