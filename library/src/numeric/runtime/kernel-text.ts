import { CHARACTERS, FREQUENT } from "../generated/kernel-text.js";

/** Characters that stand for one byte; the two after them announce that the next character stands for a rarer one. */
const SINGLES = CHARACTERS.length - 2;

/** Every byte in the order of its code: the frequent ones, then all others. */
function byteOrder(): number[] {
  const order = Array.from({ length: SINGLES }, (_, e) =>
    Number.parseInt(FREQUENT.slice(2 * e, 2 * e + 2), 16),
  );
  const seen = new Set(order);
  for (let byte = 0; byte < 256; byte++) if (!seen.has(byte)) order.push(byte);
  return order;
}

let order: readonly number[] | undefined;

/** The bytes of a kernel family, from the text that the build writes (tools/build/kernel-text.mjs). */
export function kernelBytes(text: string): Uint8Array<ArrayBuffer> {
  order ??= byteOrder();
  const places = new Uint8Array(128);
  for (let e = 0; e < CHARACTERS.length; e++) places[CHARACTERS.charCodeAt(e)] = e;
  const bytes = new Uint8Array(text.length);
  let count = 0;
  let before = 0;
  for (let e = 0; e < text.length; e++) {
    const place = places[text.charCodeAt(e)]!;
    if (place >= SINGLES) {
      before = (place - SINGLES + 1) * SINGLES;
    } else {
      bytes[count++] = order[before + place]!;
      before = 0;
    }
  }
  return bytes.slice(0, count);
}
