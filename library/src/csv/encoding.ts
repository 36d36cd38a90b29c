import { textBytes } from "../data/text-bytes.js";

/** Bytes at the beginning that show whether a text is in UTF-16. */
const SAMPLE_BYTES = 64;
/** Characters that are decoded at once: a call takes only so many arguments. */
const BLOCK = 8192;

/** A text as UTF-8 without a mark of the byte order. Bytes of UTF-16 are converted. */
export function utf8Of(where: string, text: unknown): Uint8Array {
  const bytes = textBytes(where, text);
  const [a, b, c] = bytes;
  if (a === 0xff && b === 0xfe) return textBytes(where, decode16(bytes.subarray(2), true));
  if (a === 0xfe && b === 0xff) return textBytes(where, decode16(bytes.subarray(2), false));
  if (typeof text !== "string") {
    if (isZeroEverySecond(bytes, 1)) return textBytes(where, decode16(bytes, true));
    if (isZeroEverySecond(bytes, 0)) return textBytes(where, decode16(bytes, false));
  }
  return a === 0xef && b === 0xbb && c === 0xbf ? bytes.subarray(3) : bytes;
}

/** UTF-16 of Latin letters without a mark: every second byte is 0 from `first` on, and none between is. */
function isZeroEverySecond(bytes: Uint8Array, first: 0 | 1): boolean {
  if (bytes.length < 2) return false;
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  return sample.every((code, at) => (code === 0) === (at % 2 === first));
}

function decode16(bytes: Uint8Array, little: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: string[] = [];
  for (let from = 0; from + 1 < bytes.length; from += 2 * BLOCK) {
    const length = Math.min(BLOCK, (bytes.length - from) >> 1);
    parts.push(
      String.fromCharCode(...Array.from({ length }, (_, k) => view.getUint16(from + 2 * k, little))),
    );
  }
  return parts.join("");
}
