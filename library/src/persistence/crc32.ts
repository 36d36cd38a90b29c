const table = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

/** CRC-32 (IEEE 802.3) of bytes, continuing from the CRC of what came before. Finds every error of up to 32 bits in a row. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let crc = ~before;
  for (let at = 0; at < bytes.length; at++) crc = (crc >>> 8) ^ table[(crc ^ bytes[at]!) & 255]!;
  return ~crc >>> 0;
}
