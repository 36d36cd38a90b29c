import { expect, test } from "vitest";
import { kernelBytes } from "../../library/src/numeric/runtime/kernel-text.ts";
import { CHARACTERS, kernelText } from "./kernel-text.mjs";

test("every byte, and every pair of bytes, is read as it was written", () => {
  const bytes = [];
  for (let a = 0; a < 256; a++) for (let b = 0; b < 256; b++) bytes.push(a, b);
  expect(kernelBytes(kernelText(bytes))).toEqual(Uint8Array.from(bytes));
  expect(kernelBytes("")).toEqual(new Uint8Array(0));
});

test("the text needs no escape in a string, a template or a page", () => {
  expect(CHARACTERS).toMatch(/^[ -~]+$/);
  expect(CHARACTERS).not.toMatch(/["'`\\$<]/);
  expect(new Set(CHARACTERS).size).toBe(CHARACTERS.length);
});
