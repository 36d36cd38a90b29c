import { describe, expect, it } from "vitest";
import { FormatError } from "../core/errors.js";
import type { Tensor } from "../core/state/state.js";
import { crc32 } from "./crc32.js";
import { decodeSafetensors, encodeSafetensors } from "./safetensors.js";

const tensors = new Map<string, Tensor>([
  ["bytes", { shape: [3], data: Uint8Array.of(1, 2, 255) }],
  ["doubles", { shape: [2, 2], data: Float64Array.of(1, -0, Number.NaN, Infinity) }],
  ["floats", { shape: [1], data: Float32Array.of(0.1) }],
  ["ints", { shape: [2], data: Int32Array.of(-1, 2 ** 31 - 1) }],
  ["none", { shape: [0, 4], data: new Float64Array(0) }],
]);
const file = encodeSafetensors({ metadata: { a: "b" }, tensors });

/** A file with any header and any data. */
function forge(header: unknown, data: readonly number[] = [], length?: bigint): Uint8Array {
  const json = typeof header === "string" ? header : JSON.stringify(header);
  const text = new TextEncoder().encode(json);
  const out = new Uint8Array(8 + text.length + data.length);
  new DataView(out.buffer).setBigUint64(0, length ?? BigInt(text.length), true);
  out.set(text, 8);
  out.set(data, 8 + text.length);
  return out;
}

const entry = (begin: number, end: number, shape: unknown = [end - begin], dtype: unknown = "U8") => ({
  dtype,
  shape,
  data_offsets: [begin, end],
});

describe("safetensors", () => {
  it("round-trips tensors of all types to the same bits", () => {
    const read = decodeSafetensors("test", file);
    expect(read.metadata).toEqual({ a: "b" });
    expect(read.tensors.get("doubles")!.data).toEqual(tensors.get("doubles")!.data);
    expect(Object.is((read.tensors.get("doubles")!.data as Float64Array)[1], -0)).toBe(true);
    expect(new Map([...read.tensors].sort())).toEqual(tensors);
  });

  it("begins the data, and every tensor, where its numbers are aligned", () => {
    const length = new DataView(file.buffer).getUint32(0, true);
    expect(length % 8).toBe(0);
    const header = JSON.parse(new TextDecoder().decode(file.subarray(8, 8 + length)));
    expect(header.doubles).toEqual({ dtype: "F64", shape: [2, 2], data_offsets: [0, 32] });
    expect(header.ints.data_offsets[0] % 4).toBe(0);
  });

  it("reads from the middle of a larger buffer", () => {
    const larger = new Uint8Array(file.length + 3);
    larger.set(file, 3);
    expect(decodeSafetensors("test", larger.subarray(3))).toEqual(decodeSafetensors("test", file));
  });

  it.each<[string, Uint8Array]>([
    ["nothing", new Uint8Array(0)],
    ["too few bytes for a length", new Uint8Array(7)],
    ["a header longer than the file", forge("{}", [], 3n)],
    ["a header of 2⁶³ bytes", forge("{}", [], 2n ** 63n)],
    ["a header that is not JSON", forge("{")],
    ["a header that is not an object", forge("[]")],
    ["a header that is not UTF-8", forge({ __metadata__: {} }).with(9, 0xff)],
    ["no metadata", forge({})],
    ["metadata that are not strings", forge({ __metadata__: { a: 1 } })],
    ["a tensor that is not an object", forge({ __metadata__: {}, t: 1 })],
    ["an unknown dtype", forge({ __metadata__: {}, t: entry(0, 2, [1], "F16") }, [0, 0])],
    ["a dtype of Object.prototype", forge({ __metadata__: {}, t: entry(0, 0, [0], "toString") })],
    ["a shape of fractions", forge({ __metadata__: {}, t: entry(0, 1, [0.5, 2]) }, [0])],
    ["a negative shape", forge({ __metadata__: {}, t: entry(0, 1, [-1, -1]) }, [0])],
    ["an empty tensor with an enormous side", forge({ __metadata__: {}, t: entry(0, 0, [0, 1e15]) })],
    [
      "a shape that overflows",
      forge({ __metadata__: {}, t: entry(0, 1, new Array(40).fill(2 ** 31 - 1)) }, [0]),
    ],
    ["a shape larger than its place", forge({ __metadata__: {}, t: entry(0, 1, [2]) }, [0])],
    ["offsets outside the data", forge({ __metadata__: {}, t: entry(0, 2) }, [0])],
    ["offsets the wrong way round", forge({ __metadata__: {}, t: entry(1, 0, [1]) }, [0])],
    [
      "offsets that are not numbers",
      forge({ __metadata__: {}, t: { ...entry(0, 0), data_offsets: ["0", "0"] } }),
    ],
    ["tensors that overlap", forge({ __metadata__: {}, s: entry(0, 1), t: entry(0, 1) }, [0])],
    ["a gap between tensors", forge({ __metadata__: {}, s: entry(0, 1), t: entry(2, 3) }, [0, 0, 0])],
    ["bytes after the last tensor", forge({ __metadata__: {}, t: entry(0, 1) }, [0, 0])],
  ])("answers %s with a FormatError", (_, bytes) => {
    expect(() => decodeSafetensors("test", bytes)).toThrow(FormatError);
  });
});

describe("crc32", () => {
  it("is the usual one", () => {
    expect(crc32(new TextEncoder().encode("123456789"))).toBe(0xcbf43926);
  });

  it("goes on from where it stopped", () => {
    const text = new TextEncoder().encode("123456789");
    expect(crc32(text.subarray(4), crc32(text.subarray(0, 4)))).toBe(0xcbf43926);
  });
});
