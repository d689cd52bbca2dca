const SLOTS = 16_384;

/** CRC-16/XMODEM of each byte, as the Redis Cluster specification demands. */
const TABLE: Uint16Array = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
  return crc;
});

/** The Cluster slot of a key: of its first hash tag (`{...}`) where it has one that is not empty. */
export function hashSlot(key: string): number {
  const open = key.indexOf("{");
  const close = open < 0 ? -1 : key.indexOf("}", open + 1);
  return close > open + 1 ? crc16(key, open + 1, close) % SLOTS : crc16(key, 0, key.length) % SLOTS;
}

function crc16(text: string, from: number, to: number): number {
  let crc = 0;
  for (let i = from; i < to; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 127) return crc16OfBytes(Buffer.from(text.slice(from, to)));
    crc = ((crc << 8) & 0xffff) ^ (TABLE[(crc >> 8) ^ unit] as number);
  }
  return crc;
}

function crc16OfBytes(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) crc = ((crc << 8) & 0xffff) ^ (TABLE[(crc >> 8) ^ byte] as number);
  return crc;
}
