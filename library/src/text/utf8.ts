/** Bytes of a character, by its first byte. */
export const widthOf = (first: number): number =>
  first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;

/** The code point of the `width` bytes at `at`. */
export function decode(bytes: Uint8Array, at: number, width: number): number {
  const first = bytes[at]!;
  if (width === 1) return first;
  if (width === 2) return ((first & 0x1f) << 6) | (bytes[at + 1]! & 0x3f);
  if (width === 3) return ((first & 0x0f) << 12) | ((bytes[at + 1]! & 0x3f) << 6) | (bytes[at + 2]! & 0x3f);
  return (
    ((first & 0x07) << 18) |
    ((bytes[at + 1]! & 0x3f) << 12) |
    ((bytes[at + 2]! & 0x3f) << 6) |
    (bytes[at + 3]! & 0x3f)
  );
}

/** Writes a text as UTF-8 without allocating anything, and returns the position after it. A lone surrogate is U+FFFD. */
export function writeText(bytes: Uint8Array, at: number, text: string): number {
  let out = at;
  for (let i = 0; i < text.length; i++) {
    const point = text.codePointAt(i)!;
    if (point < 0x80) {
      bytes[out++] = point;
    } else if (point < 0x800) {
      bytes[out++] = 0xc0 | (point >> 6);
      bytes[out++] = 0x80 | (point & 0x3f);
    } else if (point < 0x10000) {
      const known = point >= 0xd800 && point <= 0xdfff ? 0xfffd : point;
      bytes[out++] = 0xe0 | (known >> 12);
      bytes[out++] = 0x80 | ((known >> 6) & 0x3f);
      bytes[out++] = 0x80 | (known & 0x3f);
    } else {
      bytes[out++] = 0xf0 | (point >> 18);
      bytes[out++] = 0x80 | ((point >> 12) & 0x3f);
      bytes[out++] = 0x80 | ((point >> 6) & 0x3f);
      bytes[out++] = 0x80 | (point & 0x3f);
      i++;
    }
  }
  return out;
}
