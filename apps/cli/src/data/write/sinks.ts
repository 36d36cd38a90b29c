import { once } from "node:events";
import { open } from "node:fs/promises";
import type { Writable } from "node:stream";
import { createGzip } from "node:zlib";
import { safeText } from "../../terminal/foreign-text.js";

/** Where bytes go. `write` waits until there is room for more. */
export interface ByteSink {
  write(bytes: string | Uint8Array): Promise<void>;
  close(): Promise<void>;
  discard(): Promise<void>;
}

export async function fileSink(path: string): Promise<ByteSink> {
  const file = await open(path, "w");
  return {
    write: async (bytes) => {
      await file.writeFile(bytes);
    },
    close: async () => {
      // A file that is renamed before it is on disk may be empty after a crash.
      await file.sync();
      await file.close();
    },
    discard: () => file.close(),
  };
}

/** A stream that others end, as standard output. A pipe gets the bytes as they are; a terminal, text that cannot command it. */
export function streamSink(stream: Writable & { readonly isTTY?: boolean }): ByteSink {
  const decoder = new TextDecoder();
  const shown = (bytes: string | Uint8Array) =>
    safeText(typeof bytes === "string" ? bytes : decoder.decode(bytes, { stream: true }));
  return {
    write: async (bytes) => {
      if (!stream.write(stream.isTTY ? shown(bytes) : bytes)) await once(stream, "drain");
    },
    close: async () => {},
    discard: async () => {},
  };
}

export function gzipSink(sink: ByteSink): ByteSink {
  const gzip = createGzip();
  const copied = (async () => {
    for await (const chunk of gzip as AsyncIterable<Uint8Array>) await sink.write(chunk);
  })();
  // The error is thrown by `close`; until then nobody listens.
  copied.catch(() => {});
  return {
    write: async (bytes) => {
      if (!gzip.write(bytes)) await Promise.race([once(gzip, "drain"), copied]);
    },
    close: async () => {
      gzip.end();
      await copied;
      await sink.close();
    },
    discard: async () => {
      gzip.destroy();
      await sink.discard();
    },
  };
}
