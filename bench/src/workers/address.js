import { randomNumbers } from "../measure/keys.js";
import { addressReaders } from "../subjects/address.js";

const batch = 10_000;
/** @type {Record<string, (part: () => number) => string>} */
const spellings = {
  IPv4: (part) => `${part() >> 8}.${part() & 255}.${part() >> 8}.${part() & 255}`,
  "mapped IPv4": (part) => `::ffff:${part() >> 8}.${part() & 255}.${part() >> 8}.${part() & 255}`,
  IPv6: (part) => `2001:db8:${Array.from({ length: 6 }, () => part().toString(16)).join(":")}`,
};

/** @param {{ name: string, spelling: string }} options */
export function start({ name, spelling }) {
  const read = addressReaders[name]?.();
  const spell = spellings[spelling];
  if (read === undefined || spell === undefined) throw new Error(`nothing is called "${name}" or "${spelling}"`);
  const random = randomNumbers(7);
  const bytes = Buffer.from(
    Array.from({ length: batch }, () => spell(() => Math.floor(random() * 65_536)).padEnd(48)).join(""),
  );

  return {
    async round(/** @type {{ batches: number }} */ { batches }) {
      let cpuUs = 0;
      let letters = 0;
      for (let count = 0; count < batches; count++) {
        const texts = Array.from({ length: batch }, (_, index) => {
          const end = bytes.indexOf(32, index * 48);
          return bytes.toString("latin1", index * 48, Math.min(end < 0 ? Infinity : end, index * 48 + 48));
        });
        const cpu = process.cpuUsage();
        for (const text of texts) {
          const key = read(text);
          letters += (typeof key === "string" ? key : await key).length;
        }
        const { user, system } = process.cpuUsage(cpu);
        cpuUs += user + system;
      }
      if (letters < batches * batch * 7) throw new Error("these are no keys");
      return { cpuNs: (cpuUs * 1000) / batches / batch };
    },
  };
}
