const rotate = (x: number, by: number): number => (x << by) | (x >>> (32 - by));

/** MurmurHash3, 32 bits, seed 0, of the bytes from `start` to `end`, as a signed integer. [Appleby, smhasher] */
export function murmurHash(bytes: Uint8Array, start: number, end: number): number {
  const whole = start + ((end - start) & ~3);
  let hash = 0;
  for (let at = start; at < whole; at += 4) {
    const block = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    hash ^= Math.imul(rotate(Math.imul(block, 0xcc9e2d51 | 0), 15), 0x1b873593);
    hash = (Math.imul(rotate(hash, 13), 5) + (0xe6546b64 | 0)) | 0;
  }
  let rest = 0;
  for (let at = end - 1; at >= whole; at--) rest = (rest << 8) | bytes[at]!;
  hash ^= Math.imul(rotate(Math.imul(rest, 0xcc9e2d51 | 0), 15), 0x1b873593);
  hash ^= end - start;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b | 0);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35 | 0);
  return hash ^ (hash >>> 16);
}
