import fc from "fast-check";
import { expect, it } from "vitest";
import { crc32 } from "./crc32.js";

it("is the CRC-32 of everybody", () => {
  // The check value of the standard.
  expect(crc32(new TextEncoder().encode("123456789"))).toBe(0xcbf43926);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70 }), fc.nat(70), (bytes, cut) => {
      let plain = ~0;
      for (const byte of bytes) {
        plain ^= byte;
        for (let bit = 0; bit < 8; bit++) plain = plain & 1 ? (plain >>> 1) ^ 0xedb88320 : plain >>> 1;
      }
      expect(crc32(bytes)).toBe(~plain >>> 0);
      expect(crc32(bytes.subarray(cut), crc32(bytes.subarray(0, cut)))).toBe(~plain >>> 0);
    }),
  );
});
