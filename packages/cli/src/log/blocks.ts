import { open } from "node:fs/promises";
import { createGunzip } from "node:zlib";

/** Longer lines are cut here, so that a file without line ends cannot fill the memory. */
export const LONGEST_LINE: number = 1 << 20;

const READ_SIZE = 1 << 18;
const NEWLINE = 10;

/**
 * Bytes of a file, or of standard input for `-`, as they are stored; `onRead` is told of each piece. A piece is valid until
 * the next is asked for.
 */
export async function* readBytes(file: string, onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const piece of file === "-" ? (process.stdin as AsyncIterable<Buffer>) : fileBytes(file)) {
    onRead(piece.length);
    yield piece;
  }
}

/** Reads the next piece while one is looked at. Two buffers serve all: a stream would make a new one each time. */
async function* fileBytes(file: string): AsyncGenerator<Buffer> {
  const handle = await open(file);
  try {
    const buffers = [Buffer.allocUnsafe(READ_SIZE), Buffer.allocUnsafe(READ_SIZE)];
    const read = (turn: number): Promise<{ readonly bytesRead: number }> =>
      handle.read(buffers[turn % 2] as Buffer, 0, READ_SIZE);
    let pending = read(0);
    for (let turn = 0; ; turn++) {
      const { bytesRead } = await pending;
      if (bytesRead === 0) return;
      pending = read(turn + 1);
      // Whoever stops reading here never awaits it.
      pending.catch(() => {});
      yield (buffers[turn % 2] as Buffer).subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

/** Unpacks what begins like gzip, whatever it is called; several members in a row are one text. */
export async function* gunzipped(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const pieces = source[Symbol.asyncIterator]();
  const first = await atLeast(2, pieces);
  if (first[0] !== 0x1f || first[1] !== 0x8b) {
    if (first.length > 0) yield first;
    yield* { [Symbol.asyncIterator]: () => pieces };
    return;
  }
  const gunzip = createGunzip({ chunkSize: READ_SIZE });
  const feeding = feed(first, pieces, gunzip);
  yield* gunzip as AsyncIterable<Buffer>;
  await feeding;
}

async function feed(
  first: Buffer,
  rest: AsyncIterator<Buffer>,
  gunzip: ReturnType<typeof createGunzip>,
): Promise<void> {
  try {
    for (let chunk = first; ;) {
      // It may still be unpacking this piece when the next is read over it.
      if (!gunzip.write(Buffer.from(chunk))) await drained(gunzip);
      const next = await rest.next();
      if (next.done === true || gunzip.destroyed) break;
      chunk = next.value;
    }
    gunzip.end();
  } catch (error) {
    gunzip.destroy(error as Error);
  }
}

function drained(gunzip: ReturnType<typeof createGunzip>): Promise<void> {
  return new Promise((resolve) => {
    gunzip.once("drain", resolve);
    gunzip.once("close", resolve);
  });
}

async function atLeast(length: number, pieces: AsyncIterator<Buffer>): Promise<Buffer> {
  let bytes: Buffer = Buffer.alloc(0);
  while (bytes.length < length) {
    const next = await pieces.next();
    if (next.done === true) break;
    bytes = Buffer.concat([bytes, next.value]);
  }
  return bytes;
}

/**
 * Cuts a stream of bytes into blocks of whole lines, each line with its `\n`. A block is valid until
 * the next is asked for: one buffer serves them all.
 */
export async function* lineBlocks(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let buffer = Buffer.allocUnsafe(2 * READ_SIZE);
  let length = 0;
  let skipping = false;
  for await (const piece of source) {
    let chunk = piece;
    if (skipping) {
      const end = chunk.indexOf(NEWLINE);
      if (end < 0) continue;
      chunk = chunk.subarray(end + 1);
      skipping = false;
    }
    if (length + chunk.length >= buffer.length) buffer = grown(buffer, length, 2 * (length + chunk.length));
    chunk.copy(buffer, length);
    length += chunk.length;

    const end = buffer.lastIndexOf(NEWLINE, length - 1) + 1;
    if (end > 0) {
      yield buffer.subarray(0, end);
      buffer.copyWithin(0, end, length);
      length -= end;
    }
    if (length > LONGEST_LINE) {
      buffer[LONGEST_LINE] = NEWLINE;
      yield buffer.subarray(0, LONGEST_LINE + 1);
      length = 0;
      skipping = true;
    }
  }
  if (length > 0) {
    buffer[length] = NEWLINE;
    yield buffer.subarray(0, length + 1);
  }
}

function grown(buffer: Buffer, length: number, size: number): Buffer<ArrayBuffer> {
  const larger = Buffer.allocUnsafe(size);
  buffer.copy(larger, 0, 0, length);
  return larger;
}
