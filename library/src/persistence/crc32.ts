let tables: readonly Int32Array[] | undefined;

/** Table t gives what a byte does to the CRC once t further bytes have passed. Made when first needed. */
function makeTables(): readonly Int32Array[] {
  const first = Int32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    return crc;
  });
  const all = [first];
  for (let t = 1; t < 8; t++) all.push(all[t - 1]!.map((crc) => (crc >>> 8) ^ first[crc & 255]!));
  return all;
}

/**
 * CRC-32 (IEEE 802.3) of bytes, continuing from the CRC of what came before. Finds every error of up to 32 bits in a row. Eight bytes
 * at a time [Kounavis and Berry 2008].
 */
export function crc32(bytes: Uint8Array, before = 0): number {
  tables ??= makeTables();
  const [t0, t1, t2, t3, t4, t5, t6, t7] = tables as unknown as Record<number, Int32Array> & Int32Array[];
  let crc = ~before;
  const whole = bytes.length - (bytes.length % 8);
  let at = 0;
  for (; at < whole; at += 8) {
    const a = crc ^ (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24));
    crc =
      t7![a & 255]! ^
      t6![(a >>> 8) & 255]! ^
      t5![(a >>> 16) & 255]! ^
      t4![a >>> 24]! ^
      t3![bytes[at + 4]!]! ^
      t2![bytes[at + 5]!]! ^
      t1![bytes[at + 6]!]! ^
      t0![bytes[at + 7]!]!;
  }
  for (; at < bytes.length; at++) crc = (crc >>> 8) ^ t0![(crc ^ bytes[at]!) & 255]!;
  return ~crc >>> 0;
}
