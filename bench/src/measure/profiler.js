import { Session } from "node:inspector/promises";
import { basename } from "node:path";

const session = new Session();

/** From here on samples of this process are taken, ten thousand a second. */
export async function startProfile() {
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: 100 });
  await session.post("Profiler.start");
}

/**
 * Where the time went meanwhile: the shares of each function's own code, the largest first. Idle time is left out.
 * @returns {Promise<{ name: string, share: number }[]>}
 */
export async function stopProfile() {
  const { profile } = await session.post("Profiler.stop");
  session.disconnect();
  /** @type {Map<string, number>} */
  const hits = new Map();
  let all = 0;
  for (const { callFrame, hitCount = 0 } of profile.nodes) {
    const name = nameOf(callFrame);
    if (name === "(idle)" || name === "(root)") continue;
    hits.set(name, (hits.get(name) ?? 0) + hitCount);
    all += hitCount;
  }
  return [...hits].map(([name, count]) => ({ name, share: count / all })).sort((a, b) => b.share - a.share);
}

/** @param {{ functionName: string, url: string }} frame */
function nameOf({ functionName, url }) {
  const name = functionName === "" ? "(anonymous)" : functionName;
  if (url === "") return name === "(program)" ? "(V8 and the kernel)" : name;
  const inPackage = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(url)?.[1];
  const ours = /packages\/([a-z]+)\/dist\/esm\/(.*)/.exec(url);
  const place =
    ours === null ? (inPackage ?? (url.startsWith("node:") ? url : basename(url))) : `@aforo/${ours[1]} ${ours[2]}`;
  return `${name}  ${place}`;
}
