type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

/** UTF-16 by its mark, or by the zeros of Latin letters; else UTF-8, or the old encoding of Windows where the bytes are not UTF-8. */
export function encodingOf(bytes: Uint8Array): Encoding {
  const [a, b] = bytes;
  if (a === 0xff && b === 0xfe) return "utf-16le";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  if (zerosAt(bytes, 1) && !zerosAt(bytes, 0)) return "utf-16le";
  if (zerosAt(bytes, 0) && !zerosAt(bytes, 1)) return "utf-16be";
  return isUtf8(bytes) ? "utf-8" : "windows-1252";
}

/** Whether most of every second byte at the beginning is 0. */
function zerosAt(bytes: Uint8Array, first: 0 | 1): boolean {
  let zeros = 0;
  const length = Math.min(bytes.length, 256) & ~1;
  for (let at = first; at < length; at += 2) if (bytes[at] === 0) zeros++;
  return length > 0 && zeros > 0.35 * length;
}

function isUtf8(bytes: Uint8Array): boolean {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for (let at = 0; at < bytes.length; at += 2 ** 20)
      decoder.decode(bytes.subarray(at, at + 2 ** 20), { stream: at + 2 ** 20 < bytes.length });
    return true;
  } catch {
    return false;
  }
}

/** The text without a mark of the byte order. */
export const decoded = (bytes: Uint8Array, encoding: Encoding): string =>
  new TextDecoder(encoding).decode(bytes);

/** The bytes as UTF-8. */
export const asUtf8 = (bytes: Uint8Array, encoding: Encoding): Uint8Array =>
  encoding === "utf-8" ? bytes : new TextEncoder().encode(decoded(bytes, encoding));
