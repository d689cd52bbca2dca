import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder of the test file's own, gone when its tests are done. */
export function testFolder(): { write(name: string, content: string | Buffer): string; path(name: string): string } {
  const folder = mkdtempSync(join(tmpdir(), "aforo-cli-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const path = (name: string): string => join(folder, name);
  return {
    path,
    write(name, content) {
      writeFileSync(path(name), content);
      return path(name);
    },
  };
}
