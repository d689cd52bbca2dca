import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { gunzipped, lineBlocks, LONGEST_LINE } from "../../src/log/blocks.ts";

jest.setTimeout(60_000);

async function* chunked(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = Math.max(1, sizes[turn % Math.max(1, sizes.length)] ?? bytes.length);
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

async function linesOf(source: AsyncIterable<Buffer>): Promise<string[]> {
  const lines: string[] = [];
  for await (const block of lineBlocks(source)) {
    expect(block.at(-1)).toBe(10);
    lines.push(...block.toString().slice(0, -1).split("\n"));
  }
  return lines;
}

describe("a stream of bytes", () => {
  test("property: is cut into the same lines, however it arrives, packed or not", async () => {
    const line = fc.string({ unit: "binary" }).map((text) => text.replaceAll("\n", " "));
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 1 }),
        fc.array(fc.nat(40), { minLength: 1 }),
        fc.boolean(),
        async (lines, sizes, packed) => {
          const bytes = Buffer.from(lines.join("\n"));
          // What happens to begin like gzip is not part of this.
          fc.pre(bytes[0] !== 0x1f);
          const expected = lines.at(-1) === "" ? lines.slice(0, -1) : lines;
          const stored = packed ? Buffer.concat([gzipSync(bytes.subarray(0, 7)), gzipSync(bytes.subarray(7))]) : bytes;
          expect(await linesOf(gunzipped(chunked(stored, sizes)))).toEqual(
            expected.map((each) => Buffer.from(each).toString()),
          );
        },
      ),
    );
  });

  test("is cut where a line has no end, and goes on with the next", async () => {
    const bytes = Buffer.concat([Buffer.from("a\n"), Buffer.alloc(3 * LONGEST_LINE, "x"), Buffer.from("\nb\n")]);
    const lines = await linesOf(chunked(bytes, [100_000]));
    expect(lines.map((line) => line.length)).toEqual([1, LONGEST_LINE, 1]);
    expect(lines.at(-1)).toBe("b");
  });

  test("that was packed and is damaged fails with the reason", async () => {
    const packed = gzipSync(Buffer.from("line\n".repeat(10_000)));
    await expect(linesOf(gunzipped(chunked(packed.subarray(0, packed.length - 20), [50])))).rejects.toThrow(
      "unexpected end of file",
    );
    packed[packed.length - 30] = (packed[packed.length - 30] as number) ^ 0xff;
    await expect(linesOf(gunzipped(chunked(packed, [50])))).rejects.toThrow(/invalid|incorrect/);
  });
});
