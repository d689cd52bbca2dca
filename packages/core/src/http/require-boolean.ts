import { ConfigError, got } from "../domain/errors.ts";

/** Refuses anything but `true` and `false`. */
export function requireBoolean(option: string, value: unknown): asserts value is boolean {
  if (typeof value !== "boolean")
    throw new ConfigError("ERR_AFORO_INVALID_OPTION", `"${option}" must be true or false, ${got(value)}`);
}
