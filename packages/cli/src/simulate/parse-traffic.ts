import { UsageError } from "../usage-error.ts";
import { parseDurationText } from "../duration-text.ts";
import { patientClients } from "./patient.ts";
import { botnet, office, onOff, poisson, retryStorm, type Crowd, type Traffic } from "./traffic.ts";

/** How long a client that knows no backoff takes to come back: an answer and a new request over the network. */
const ROUND_TRIP_MS = 100;
/** Some time the user closes the page. */
const MOST_ATTEMPTS = 30;

/** Traffic by the name of its option. */
export const TRAFFIC: Readonly<
  Record<string, { readonly syntax: string; readonly about: string; readonly parse: (text: string) => Traffic }>
> = {
  poisson: {
    syntax: "<[n@]rate>",
    about: "requests at random; with n@, of n callers at that rate each",
    parse: (text) => poisson(`poisson ${text}`, parseCrowd("--poisson", text)),
  },
  "on-off": {
    syntax: "<[n@]rate:on:off>",
    about: "bursts: that rate for a while, then silence, such as 50/second:2s:8s",
    parse: (text) => {
      const [crowd = "", on = "", off = ""] = text.split(":");
      const [onMs, offMs] = [parseDurationText(on), parseDurationText(off)];
      if (onMs === undefined || offMs === undefined || onMs === 0) throw wrong("--on-off", text, "50/second:2s:8s");
      return onOff(`on-off ${text}`, parseCrowd("--on-off", crowd), onMs, offMs);
    },
  },
  "retry-storm": {
    syntax: "<n@rate>",
    about: `n clients that repeat a rejected request after ${ROUND_TRIP_MS} ms, up to ${MOST_ATTEMPTS} times`,
    parse: (text) => retryStorm(`retry-storm ${text}`, parseCrowd("--retry-storm", text), ROUND_TRIP_MS, MOST_ATTEMPTS),
  },
  "patient-clients": {
    syntax: "<n@rate>",
    about: "n clients with the rules of @aforo/client: Retry-After, jitter, backoff, a retry budget, pacing",
    parse: (text) => patientClients(`patient-clients ${text}`, parseCrowd("--patient-clients", text)),
  },
  botnet: {
    syntax: "<n@rate>",
    about: "n addresses at that rate each",
    parse: (text) => botnet(`botnet ${text}`, parseCrowd("--botnet", text)),
  },
  office: {
    syntax: "<n@rate>",
    about: "n people behind one address, each opening pages of 8 requests at that rate",
    parse: (text) => office(`office ${text}`, parseCrowd("--office", text)),
  },
};

const MOST_CALLERS = 1_000_000;

function parseCrowd(option: string, text: string): Crowd {
  const match = /^(?:(?<callers>\d{1,7})@)?(?<count>\d+(?:\.\d+)?)\/(?<window>.+)$/.exec(text.trim());
  const callers = Number(match?.groups?.["callers"] ?? 1);
  const window = parseDurationText(match?.groups?.["window"] ?? "");
  const rate = Number(match?.groups?.["count"]) / (window ?? NaN);
  if (!(callers >= 1 && callers <= MOST_CALLERS && rate > 0 && Number.isFinite(rate)))
    throw wrong(option, text, "6/second or 500@12/minute");
  return { callers, rate };
}

function wrong(option: string, text: string, example: string): UsageError {
  return new UsageError(`"${option}" must be like ${example}, got ${JSON.stringify(text)}`);
}
