import { randomNumbers } from "../measure/keys.js";
import { median } from "../measure/statistics.js";
import { addressReaders } from "../subjects/address.js";

const batch = 1_000;
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
      const cpuNs = [];
      let letters = 0;
      for (let count = 0; count < batches; count++) {
        const texts = Array.from({ length: batch }, (_, index) => {
          const end = bytes.indexOf(32, index * 48);
          return bytes.toString("latin1", index * 48, Math.min(end < 0 ? Infinity : end, index * 48 + 48));
        });
        const cpu = process.cpuUsage();
        for (const text of texts) {
          const found = read(text);
          const key = typeof found === "string" ? found : await found;
          // Text that was joined is put together when it is looked at first, and every store looks at its keys.
          if (key.charCodeAt(0) > 0) letters += key.length;
        }
        const { user, system } = process.cpuUsage(cpu);
        cpuNs.push(((user + system) * 1000) / batch);
      }
      if (letters < batches * batch * 7) throw new Error("these are no keys");
      // The middle batch: compiling, and collecting the texts of the benchmark itself, are CPU of this process too.
      return { cpuNs: median(cpuNs) };
    },
  };
}
