/** Files are read, hashed and unpacked in slices of this many bytes. */
const SLICE = 8 * 2 ** 20;
const HASHED_AT_ONCE = 64 * 2 ** 20;
/** What a packed file may unpack to: a hundred times its size, as in the command line, within what a page can hold. */
const MOST_UNPACKED = 4 * 2 ** 30;
const ALWAYS_UNPACKED = 256 * 2 ** 20;
const UNPACKED_PER_BYTE = 100;

/** Called with the share that is done. */
export type Progress = (share: number) => void;

export async function headOf(blob: Blob, length: number): Promise<Uint8Array> {
  return new Uint8Array(await blob.slice(0, length).arrayBuffer());
}

/** All bytes, slice by slice. */
export async function bytesOf(blob: Blob, progress: Progress): Promise<Uint8Array> {
  const out = new Uint8Array(blob.size);
  for (let at = 0; at < blob.size; at += SLICE) {
    out.set(await headOf(blob.slice(at), SLICE), at);
    progress(Math.min(1, (at + SLICE) / blob.size));
  }
  return out;
}

/** The slices of a file one after the other. */
export async function* slicesOf(blob: Blob): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < blob.size; at += SLICE) yield await headOf(blob.slice(at), SLICE);
}

/** SHA-256 of a file as hexadecimal digits; above 64 MB, of the digests of its slices. "" where the page may not compute it. */
export async function sha256Of(blob: Blob): Promise<string> {
  // Undefined on pages that came neither by https nor from this computer.
  const subtle = (globalThis.crypto as { readonly subtle?: SubtleCrypto } | undefined)?.subtle;
  if (subtle === undefined) return "";
  const digests: Uint8Array[] = [];
  for (let at = 0; at === 0 || at < blob.size; at += HASHED_AT_ONCE) {
    const slice = await blob.slice(at, at + HASHED_AT_ONCE).arrayBuffer();
    digests.push(new Uint8Array(await subtle.digest("SHA-256", slice)));
  }
  const [only] = digests;
  const whole =
    digests.length === 1
      ? only!
      : new Uint8Array(await subtle.digest("SHA-256", await new Blob(digests as BlobPart[]).arrayBuffer()));
  return Array.from(whole, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export const isGzip = ([a, b]: Uint8Array): boolean => a === 0x1f && b === 0x8b;

export async function unpacked(blob: Blob): Promise<Blob> {
  let length = 0;
  const most = Math.min(MOST_UNPACKED, Math.max(ALWAYS_UNPACKED, UNPACKED_PER_BYTE * blob.size));
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      length += chunk.length;
      if (length > most)
        throw new Error(`The file unpacks to more than ${Math.round(most / 2 ** 20)} MB: load a part of it.`);
      controller.enqueue(chunk);
    },
  });
  try {
    const stream = blob.stream().pipeThrough(new DecompressionStream("gzip")).pipeThrough(counted);
    return await new Response(stream).blob();
  } catch (error) {
    if (length > MOST_UNPACKED) throw error;
    throw new Error("The file begins like a gzip file but cannot be unpacked: it is damaged or incomplete.");
  }
}
