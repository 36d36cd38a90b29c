import { foldedBytes } from "../numeric/checksums/crc32.js";

/** The polynomial of IEEE 802.3, lowest power in the highest bit. */
const POLYNOMIAL = 0xedb88320;
/** Bytes from which on folding them is faster: five times 48 KB. */
const LONG = 240_000;

let table: Int32Array | undefined;

/** What a byte does to the CRC. Made when first needed. */
function makeTable(): Int32Array {
  return Int32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
    return crc;
  });
}

/** CRC-32 (IEEE 802.3) of bytes, continuing from the CRC of what came before. Finds every error of up to 32 bits in a row. */
export function crc32(bytes: Uint8Array, before = 0): number {
  table ??= makeTable();
  const isLong = bytes.length >= LONG;
  const rest = isLong ? foldedBytes("crc32", bytes, ~before) : bytes;
  let crc = isLong ? 0 : ~before;
  for (let at = 0; at < rest.length; at++) crc = (crc >>> 8) ^ table[(crc ^ rest[at]!) & 255]!;
  return ~crc >>> 0;
}
