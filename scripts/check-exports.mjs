// Judges each package as it is published: its manifest (publint) and whether the types of every entry point are those
// of the code, for ES modules, CommonJS and bundlers (are the types wrong).
import { readFileSync } from "node:fs";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { packAll } from "./lib/pack.mjs";

for (const { manifest, tarball } of await packAll("exports")) {
  const data = readFileSync(tarball);
  const { messages, pkg } = await publint({ pack: { tarball: toArrayBuffer(data) }, strict: true });
  const { types, problems = [] } = await checkPackage(createPackageFromTarballData(data));
  const complaints = [
    ...(types === false ? ["has no types"] : []),
    ...messages.map((message) => formatMessage(message, pkg)),
    // Resolution as it was before Node 12 knows no exports, so it can't find "@aforo/core/redis".
    ...problems.filter(({ resolutionKind }) => resolutionKind !== "node10").map((problem) => JSON.stringify(problem)),
  ];
  console.log(`${manifest.name}: ${complaints.length === 0 ? "ok" : `\n  ${complaints.join("\n  ")}`}`);
  if (complaints.length > 0) process.exitCode = 1;
}

function toArrayBuffer(buffer) {
  return buffer.buffer.slice(buffer.byteOffset, buffer.byteOffset + buffer.byteLength);
}
