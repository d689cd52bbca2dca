import { validateHeaderName, validateHeaderValue } from "node:http";
import { ConfigError, got } from "../domain/errors.ts";
import type { Denial } from "./denial.ts";
import { prefersText } from "./negotiate.ts";
import type { CustomResponse } from "./options.ts";
import type { RejectionBody } from "./rejection.ts";

/** Of bodies that bring none. */
export const NO_HEADERS: Readonly<Record<string, string>> = {};

/**
 * What clients are told, unless the application says it in its own way: problem details (RFC 9457), or text for who asks
 * for it. Made once for each denial, which are few.
 */
export class OrdinaryBodies {
  readonly #json = new WeakMap<Denial, RejectionBody>();
  readonly #text = new WeakMap<Denial, RejectionBody>();

  of(denial: Denial, accept: string | undefined): RejectionBody {
    return prefersText(accept) ? made(this.#text, denial, textBody) : made(this.#json, denial, jsonBody);
  }
}

function made(
  bodies: WeakMap<Denial, RejectionBody>,
  denial: Denial,
  make: (denial: Denial) => RejectionBody,
): RejectionBody {
  let body = bodies.get(denial);
  if (body === undefined) {
    body = make(denial);
    bodies.set(denial, body);
  }
  return body;
}

function textBody(denial: Denial): RejectionBody {
  return {
    status: denial.status,
    type: "text/plain; charset=utf-8",
    text: `${denial.title}. ${denial.detail}\n`,
    value: problemOf(denial),
    headers: NO_HEADERS,
  };
}

function jsonBody(denial: Denial): RejectionBody {
  const value = problemOf(denial);
  const text = JSON.stringify(value);
  return { status: denial.status, type: "application/problem+json; charset=utf-8", text, value, headers: NO_HEADERS };
}

/** Only what the client may know: no key, no count of others. */
function problemOf({ type, title, status, detail, violated, retryAfter }: Denial): Readonly<Record<string, unknown>> {
  return {
    type,
    title,
    status,
    detail,
    ...(violated.length === 0 ? {} : { "violated-policies": violated }),
    ...(retryAfter === undefined ? {} : { "retry-after": retryAfter }),
  };
}

/**
 * What `respond` answered, as a body. It keeps the rejection's status unless it names one.
 * @throws when it cannot be one.
 */
export function customBody(denial: Denial, answer: unknown): RejectionBody {
  if (typeof answer !== "object" || answer === null || answer instanceof Uint8Array || !("body" in answer)) {
    return { status: denial.status, ...encoded(answer), value: answer, headers: NO_HEADERS };
  }
  const { status = denial.status, headers = NO_HEADERS, body } = answer as CustomResponse;
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw new ConfigError(
      "ERR_AFORO_INVALID_OPTION",
      `"status" of what "respond" returns must be a status from 200 to 599, ${got(status)}`,
    );
  }
  // Before any is set: some frameworks find out only when the head is written, which is too late for another answer.
  for (const [name, value] of Object.entries(headers)) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  }
  const named = Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
  const { type, text } = encoded(body);
  return { status, type: named ? undefined : type, text, value: body, headers };
}

function encoded(body: unknown): Pick<RejectionBody, "type" | "text"> {
  if (typeof body === "string") return { type: "text/plain; charset=utf-8", text: body };
  if (body instanceof Uint8Array) return { type: "application/octet-stream", text: body };
  const text = JSON.stringify(body) as string | undefined;
  if (text === undefined)
    throw new ConfigError(
      "ERR_AFORO_INVALID_OPTION",
      `"respond" must return text, bytes or something that JSON can say, ${got(body)}`,
    );
  return { type: "application/json; charset=utf-8", text };
}
