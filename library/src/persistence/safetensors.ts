import { FormatError, show } from "../core/errors.js";
import { asBytes } from "../core/numbers/typed-arrays.js";
import type { Tensor, TensorData } from "../core/state/state.js";
import { textDecoder, textEncoder } from "../core/text/utf8-coders.js";

/**
 * The safetensors file format (https://huggingface.co/docs/safetensors): 8 bytes with the header's length N as a
 * little-endian integer; N bytes of JSON, padded with spaces so that the data begins at a multiple of 8; the data.
 * The header maps every tensor's name to `{ dtype, shape, data_offsets: [begin, end] }`, offsets counted from the
 * start of the data, and `__metadata__` to a map of strings. Tensors follow each other without gaps or overlaps.
 */
export interface SafetensorsFile {
  readonly metadata: Readonly<Record<string, string>>;
  readonly tensors: ReadonlyMap<string, Tensor>;
}

type Dtype = "F64" | "F32" | "I32" | "U8";
type ArrayType = { readonly BYTES_PER_ELEMENT: number; new (buffer: ArrayBuffer): TensorData };

const arrays: Readonly<Record<Dtype, ArrayType>> = {
  F64: Float64Array,
  F32: Float32Array,
  I32: Int32Array,
  U8: Uint8Array,
};

/** The limit of the reference implementation. */
const MAX_HEADER = 100_000_000;
/** Larger sizes cannot be allocated; the limit rejects shapes such as `[0, 10¹⁵]`, an empty tensor. */
const MAX_DIMENSION = 2 ** 31 - 1;

export const dtypeOf = (data: TensorData): Dtype => {
  switch (data[Symbol.toStringTag]) {
    case "Float64Array":
      return "F64";
    case "Float32Array":
      return "F32";
    case "Int32Array":
      return "I32";
    default:
      return "U8";
  }
};

const littleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/** The bytes of an array in little-endian order. A view on little-endian platforms. */
export function bytesOf(data: TensorData): Uint8Array {
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return littleEndian ? bytes : swapped(bytes.slice(), data.BYTES_PER_ELEMENT);
}

function swapped(bytes: Uint8Array, size: number): Uint8Array {
  for (let at = 0; at < bytes.length; at += size) bytes.subarray(at, at + size).reverse();
  return bytes;
}

export function encodeSafetensors({ metadata, tensors }: SafetensorsFile): Uint8Array {
  // Widest elements first: every tensor then begins at a multiple of its element's size.
  const ordered = [...tensors].sort(
    ([a, x], [b, y]) => y.data.BYTES_PER_ELEMENT - x.data.BYTES_PER_ELEMENT || (a < b ? -1 : 1),
  );
  const header: [string, unknown][] = [["__metadata__", metadata]];
  let end = 0;
  for (const [name, { shape, data }] of ordered) {
    const begin = end;
    end += data.byteLength;
    header.push([name, { dtype: dtypeOf(data), shape, data_offsets: [begin, end] }]);
  }
  const json = textEncoder().encode(JSON.stringify(Object.fromEntries(header)));
  const padded = Math.ceil(json.length / 8) * 8;
  const out = new Uint8Array(8 + padded + end);
  new DataView(out.buffer).setUint32(0, padded, true);
  out.fill(0x20, 8, 8 + padded);
  out.set(json, 8);
  let at = 8 + padded;
  for (const [, { data }] of ordered) {
    out.set(bytesOf(data), at);
    at += data.byteLength;
  }
  return out;
}

/** Reads an untrusted file: any deviation from the format is a FormatError. */
export function decodeSafetensors(where: string, bytes: Uint8Array): SafetensorsFile {
  const fail = (subject: string, expected: string, received: string): never => {
    throw new FormatError(where, subject, expected, received);
  };
  if (bytes.length < 8) fail("the file", "a safetensors file", `${bytes.length} bytes`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getUint32(0, true) + view.getUint32(4, true) * 2 ** 32;
  if (length > MAX_HEADER || length > bytes.length - 8) {
    fail("the header", `at most ${Math.min(MAX_HEADER, bytes.length - 8)} bytes long`, `${length}`);
  }
  const header = parseHeader(where, bytes.subarray(8, 8 + length));
  const data = bytes.subarray(8 + length);
  const entries = Object.entries(header).filter(([name]) => name !== "__metadata__");
  const tensors = new Map(entries.map(([name, entry]) => [name, readTensor(where, name, entry, data)]));
  checkCoverage(where, entries as [string, TensorEntry][], data.length);
  return { metadata: readMetadata(where, header.__metadata__), tensors };
}

interface TensorEntry {
  readonly dtype: Dtype;
  readonly shape: readonly number[];
  readonly data_offsets: readonly [number, number];
}

function parseHeader(where: string, bytes: Uint8Array): Record<string, unknown> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(textDecoder({ fatal: true }).decode(bytes));
  } catch (cause) {
    const error = new FormatError(where, "the header", "JSON", "something else");
    error.cause = cause;
    throw error;
  }
  if (parsed === null || typeof parsed !== "object" || Array.isArray(parsed)) {
    throw new FormatError(where, "the header", "a JSON object", show(parsed));
  }
  return parsed as Record<string, unknown>;
}

function readMetadata(where: string, metadata: unknown): Readonly<Record<string, string>> {
  const fine =
    metadata !== null &&
    typeof metadata === "object" &&
    !Array.isArray(metadata) &&
    Object.values(metadata).every((value) => typeof value === "string");
  if (fine) return metadata as Record<string, string>;
  throw new FormatError(where, "__metadata__", "a map of strings", show(metadata));
}

function readTensor(where: string, name: string, entry: unknown, data: Uint8Array): Tensor {
  const subject = `tensor ${show(name)}`;
  const fail = (expected: string, received: unknown): never => {
    throw new FormatError(where, subject, expected, show(received));
  };
  if (entry === null || typeof entry !== "object") fail("{ dtype, shape, data_offsets }", entry);
  const { dtype, shape, data_offsets: offsets } = entry as Partial<Record<keyof TensorEntry, unknown>>;
  if (typeof dtype !== "string" || !Object.hasOwn(arrays, dtype)) {
    fail(`of dtype ${Object.keys(arrays).join(", ")}`, dtype);
  }
  const isSize = (size: unknown) =>
    Number.isInteger(size) && (size as number) >= 0 && (size as number) <= MAX_DIMENSION;
  if (!Array.isArray(shape) || !shape.every(isSize)) fail("of a shape of whole numbers", shape);
  if (!Array.isArray(offsets) || offsets.length !== 2 || !offsets.every(Number.isSafeInteger)) {
    fail("located by data_offsets of two whole numbers", offsets);
  }
  const [begin, end] = offsets as [number, number];
  if (begin < 0 || begin > end || end > data.length)
    fail(`inside the ${data.length} bytes of data`, `${begin} to ${end}`);
  const Type = arrays[dtype as Dtype];
  const size = (shape as number[]).reduce((product, count) => product * count, Type.BYTES_PER_ELEMENT);
  if (size !== end - begin) fail(`${end - begin} bytes long, as its data_offsets`, size);
  // `slice` of a Node Buffer is a view into its pool; the tensor requires its own memory.
  const copy = Uint8Array.prototype.slice.call(data, begin, end);
  const values = new Type(
    (littleEndian ? copy : swapped(copy, Type.BYTES_PER_ELEMENT)).buffer as ArrayBuffer,
  );
  return { shape: shape as number[], data: values };
}

/** Tensors must be contiguous, without gaps or overlaps. */
function checkCoverage(where: string, entries: readonly [string, TensorEntry][], length: number): void {
  const places = entries.map(([, entry]) => entry.data_offsets).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  let at = 0;
  for (const [begin, end] of places) {
    if (begin !== at) throw new FormatError(where, "tensors", "end to end", `${begin} after ${at}`);
    at = end;
  }
  if (at !== length) throw new FormatError(where, "the data", `${at} bytes long`, `${length}`);
}

export function checkBytes(where: string, given: unknown): Uint8Array {
  const bytes = asBytes(given);
  if (bytes !== undefined) return bytes;
  throw new FormatError(where, "the file", "a Uint8Array or an ArrayBuffer", show(given));
}
