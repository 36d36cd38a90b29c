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

it("is the same in four streams, whatever the length and the place in memory", () => {
  const all = Uint8Array.from({ length: 9000 }, (_, k) => (Math.imul(k + 1, 2_654_435_761) >>> 11) & 255);
  for (const length of [4095, 4096, 4097, 4127, 4128, 5000, 8191, 8996]) {
    for (const start of [0, 1, 2, 4]) {
      const bytes = all.subarray(start, start + length);
      expect(crc32(bytes)).toBe(plainCrc(bytes));
      expect(crc32(bytes.subarray(4), crc32(bytes.subarray(0, 4)))).toBe(plainCrc(bytes));
    }
  }
});
