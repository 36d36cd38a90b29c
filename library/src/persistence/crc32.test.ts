import fc from "fast-check";
import { expect, it } from "vitest";
import { crc32 } from "./crc32.js";

/** Bit by bit, as the standard writes it. */
function plainCrc(bytes: Uint8Array): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}

it("is the CRC-32 of everybody", () => {
  // The check value of the standard.
  expect(crc32(new TextEncoder().encode("123456789"))).toBe(0xcbf43926);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70 }), fc.nat(70), (bytes, cut) => {
      expect(crc32(bytes)).toBe(plainCrc(bytes));
      expect(crc32(bytes.subarray(cut), crc32(bytes.subarray(0, cut)))).toBe(plainCrc(bytes));
    }),
  );
});

it("is the same where bytes are folded, whatever the length and the place in memory", () => {
  const all = Uint8Array.from(
    { length: 1_200_000 },
    (_, k) => (Math.imul(k + 1, 2_654_435_761) >>> 11) & 255,
  );
  for (const length of [239_999, 240_000, 240_001, 2 ** 19, 2 ** 19 + 1, 2 ** 19 + 48_097, 1_100_007]) {
    for (const start of [0, 1, 4]) {
      const bytes = all.subarray(start, start + length);
      expect(crc32(bytes)).toBe(plainCrc(bytes));
      expect(crc32(bytes.subarray(5), crc32(bytes.subarray(0, 5)))).toBe(plainCrc(bytes));
    }
  }
});
