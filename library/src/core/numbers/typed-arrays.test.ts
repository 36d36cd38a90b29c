import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import {
  asBytes,
  asFloat64Array,
  isArrayLike,
  isDetached,
  isTypedArray,
  typedArrayName,
} from "./typed-arrays.js";

describe("typed arrays of another realm", () => {
  const abroad: Float64Array = runInNewContext("new Float64Array([9, 1, 2, 3]).subarray(1)");

  it("are recognised by their tag", () => {
    expect(abroad).not.toBeInstanceOf(Float64Array);
    expect(typedArrayName(abroad)).toBe("Float64Array");
    expect(isTypedArray(abroad)).toBe(true);
    expect(isArrayLike(runInNewContext("[1]"))).toBe(true);
  });

  it("become arrays of this one, on the same memory", () => {
    const own = asFloat64Array(abroad)!;
    expect(own).toBeInstanceOf(Float64Array);
    expect([...own]).toEqual([1, 2, 3]);
    own[0] = 7;
    expect(abroad[0]).toBe(7);
    expect([...asBytes(runInNewContext("new Uint8Array([1, 2]).buffer"))!]).toEqual([1, 2]);
  });

  it("cannot be forged", () => {
    const forged = { [Symbol.toStringTag]: "Float64Array", length: 1, 0: 1 };
    for (const x of [
      forged,
      new DataView(new ArrayBuffer(8)),
      null,
      5,
      "Float64Array",
      Object.create(abroad),
    ]) {
      expect(typedArrayName(x)).toBeUndefined();
      expect(isTypedArray(x)).toBe(false);
      expect(asFloat64Array(x)).toBeUndefined();
    }
    expect(asBytes({ [Symbol.toStringTag]: "ArrayBuffer" })).toBeUndefined();
    expect(asFloat64Array(new Float32Array(2))).toBeUndefined();
  });
});

it("an array is detached once its memory was transferred, and not because it is empty", () => {
  const data = Float64Array.of(1, 2);
  expect(isDetached(data)).toBe(false);
  structuredClone(data.buffer, { transfer: [data.buffer] });
  expect(isDetached(data)).toBe(true);
  expect(isDetached(new Float64Array(0))).toBe(false);
});
