import type { BlockStore } from "argmax/sums";

/** A file that exists while a fit lasts. */
export interface ScratchFile extends BlockStore {
  close(): void;
}

/** Opens an empty file in a new directory. Both are gone at once where open files may be removed, else with `close`. */
export async function openScratchFile(directory: string | undefined): Promise<ScratchFile> {
  const [fs, os, path] = await Promise.all([import("node:fs"), import("node:os"), import("node:path")]);
  const own = fs.mkdtempSync(path.join(directory ?? os.tmpdir(), "argmax-"));
  const remove = () => fs.rmSync(own, { recursive: true, force: true });
  let file: number;
  try {
    file = fs.openSync(path.join(own, "rows"), "wx+", 0o600);
  } catch (error) {
    remove();
    throw error;
  }
  if (process.platform !== "win32") remove();
  return {
    read(at, out) {
      for (let done = 0; done < out.length; ) {
        const count = fs.readSync(file, out, done, out.length - done, at + done);
        if (count === 0) throw new Error("The scratch file is shorter than what was written to it.");
        done += count;
      }
    },
    write(at, bytes) {
      for (let done = 0; done < bytes.length; )
        done += fs.writeSync(file, bytes, done, bytes.length - done, at + done);
    },
    close() {
      fs.closeSync(file);
      remove();
    },
  };
}
