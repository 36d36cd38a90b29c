import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** A folder for the files of a test, which is removed at the end. */
export function temporaryFolder(): {
  readonly path: string;
  file(name: string, content: string | Uint8Array): string;
} {
  const path = mkdtempSync(join(tmpdir(), "argmax-test-"));
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return {
    path,
    file(name, content) {
      const full = join(path, name);
      writeFileSync(full, content);
      return full;
    },
  };
}
