/**
 * Kernels as text in a JavaScript module: a character per byte, or two for the rarer bytes. Unlike base64 it keeps bytes apart, so that
 * gzip finds what repeats: all kernels together are 98 KB gzipped instead of 141, and 295 KB instead of 371 before it.
 */

/** The printable characters of ASCII that need no escape in a string of any kind, nor in a page. The last two announce rarer bytes. */
export const CHARACTERS = Array.from({ length: 0x7f - 0x20 }, (_, e) => String.fromCharCode(0x20 + e))
  .filter((character) => !"\"'`\\$<".includes(character))
  .join("");
const SINGLES = CHARACTERS.length - 2;

/** The most frequent bytes of the kernels, each in hexadecimal: as many as characters that stand for one. */
export const FREQUENT =
  "002001fd0403410b02216a0c22400508060774107f090a3f2b230df044a20f6ca00e114a28f2126bff1b39138014557b48fc42712a4e24" +
  "157c18f1381a1f16194972a1e6fe1765461de46136e0436f64862e996d47731c";

/** Every byte in the order of its code: the frequent ones, then all others. */
function byteOrder() {
  const frequent = Buffer.from(FREQUENT, "hex");
  if (frequent.length !== SINGLES || new Set(frequent).size !== SINGLES)
    throw new Error(`kernel text: ${SINGLES} different frequent bytes are needed, got ${frequent.length}`);
  return [
    ...frequent,
    ...Array.from({ length: 256 }, (_, byte) => byte).filter((b) => !frequent.includes(b)),
  ];
}

const codes = new Map(byteOrder().map((byte, code) => [byte, code]));

export function kernelText(wasm) {
  let text = "";
  for (const byte of wasm) {
    const code = codes.get(byte);
    if (code >= SINGLES) text += CHARACTERS[SINGLES + Math.floor(code / SINGLES) - 1];
    text += CHARACTERS[code % SINGLES];
  }
  return text;
}
