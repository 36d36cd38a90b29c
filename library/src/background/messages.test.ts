import { runInNewContext } from "node:vm";
import { describe, expect, test, vi } from "vitest";
import { AbortError, DataError, ParameterError, ShapeError } from "../core/errors.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { Matrix } from "../data/matrix.js";
import { Table } from "../data/table/table.js";
import { adoptState, buffersOf, Packer, packError, unpackError, unpackMatrix } from "./messages.js";

describe("packing a request", () => {
  test("copies what belongs to the caller", () => {
    const data = Float64Array.of(1, 2, 3, 4);
    const y = Float64Array.of(5, 6);
    const packer = new Packer();
    const request = packer.rows("Ridge.fit", new Matrix(data, 2, 2), y, { sampleWeight: [1, 2] });
    expect(packer.transfer).toHaveLength(2);
    expect(packer.transfer).not.toContain(data.buffer);
    expect(packer.transfer).not.toContain(y.buffer);
    expect(request).toMatchObject({
      x: { kind: "dense", rows: 2, cols: 2 },
      sampleWeight: [1, 2],
    });
  });

  test("copies only once what the door has copied already", () => {
    const packer = new Packer();
    const packed = packer.matrix("Ridge.fit", [
      [1, 2],
      [3, 4],
    ]);
    expect(packed).toMatchObject({ kind: "dense", data: Float64Array.of(1, 2, 3, 4) });
    expect(packer.transfer).toHaveLength(1);
  });

  test("takes only the window of an array that looks into a larger buffer", () => {
    const window = new Float64Array(new Float64Array(100).buffer, 80, 2);
    const packer = new Packer();
    packer.matrix("Ridge.fit", new Matrix(window, 1, 2));
    expect(packer.transfer[0]!.byteLength).toBe(16);
  });

  test("shares memory that is shared already", () => {
    const shared = new Float64Array(new SharedArrayBuffer(16));
    const packer = new Packer();
    const packed = packer.matrix("Ridge.fit", new Matrix(shared, 1, 2));
    expect(packer.transfer).toEqual([]);
    expect(packed.kind === "dense" && packed.data).toBe(shared);
  });

  test("keeps sparse and 32-bit input what they are", () => {
    const sparse = CsrMatrix.fromDense(new Matrix(Float64Array.of(0, 2, 0, 0), 2, 2));
    expect(unpackMatrix(new Packer().matrix("Ridge.fit", sparse))).toEqual(sparse);
    const single = new Matrix(Float32Array.of(1, 2), 1, 2);
    expect(unpackMatrix(new Packer().matrix("Ridge.fit", single)).constructor).toBe(Matrix);
    expect(unpackMatrix(new Packer().matrix("Ridge.fit", single))).toEqual(single);
  });

  test("keeps the size of images", () => {
    const images = { data: Float32Array.of(1, 2, 3, 4, 5, 6), rows: 1, height: 1, width: 3, channels: 2 };
    expect(unpackMatrix(new Packer().matrix("CNNClassifier.fit", images))).toEqual(images);
    const pixels = { ...images, data: Uint8Array.of(1, 2, 3, 4, 5, 6) };
    expect(unpackMatrix(new Packer().matrix("CNNClassifier.fit", pixels))).toEqual({
      ...images,
      data: Float64Array.of(1, 2, 3, 4, 5, 6),
    });
  });

  test("keeps the names of a table of another copy of the library", async () => {
    vi.resetModules();
    const { Table: Other } = await import("../data/table/table.js");
    const table = Other.fromColumns({ size: [1, 2], colour: ["red", "blue"], round: [true, false] });
    const found = unpackMatrix(new Packer().matrix("Ridge.fit", table)) as Table;
    expect(found).toBeInstanceOf(Table);
    expect(found.columnNames).toEqual(["size", "colour", "round"]);
    expect(found.column("colour").toArray()).toEqual(["red", "blue"]);
  });

  test("complains as the fit would, before anything is sent", () => {
    const pack = (x: number[][], y: unknown) => () => new Packer().rows("Ridge.fit", x, y, {});
    expect(pack([[1], [2, 3]], [1, 2])).toThrow(ShapeError);
    expect(pack([[1], [2]], [1])).toThrow("Ridge.fit: y must be as long as X has rows (2), got 1 entries.");
    expect(pack([[1], [2]], "no list")).toThrow(DataError);
  });

  test("tables keep the names, kinds and order of their columns", () => {
    const table = Table.fromColumns({
      city: ["Oslo", null, "Rome"],
      "7": [1, Number.NaN, 3],
      old: [true, false, null],
    }).select(["city", "7", "old"]);
    const packed = structuredClone(new Packer().matrix("OneHotEncoder.fit", table));
    const there = unpackMatrix(packed) as typeof table;
    expect(there.columnNames).toEqual(["city", "7", "old"]);
    expect(there.toRows()).toEqual(table.toRows());
    expect(there.column("city")).toEqual(table.column("city"));
  });

  test("one string is not a list of documents", () => {
    expect(() => new Packer().matrix("Pipeline.fit", "a text" as never)).toThrow(
      "One document is an array too: [text].",
    );
  });
});

test("a state from another realm gets arrays of this one, around the same memory", () => {
  const foreign = runInNewContext("Float64Array.of(1, 2, 3).subarray(1)") as Float64Array;
  const inner = { kind: "B", params: {}, values: {}, tensors: { b: { shape: [2], data: foreign } } };
  const state = {
    kind: "A",
    params: {},
    values: {},
    tensors: { a: { shape: [2], data: foreign } },
    parts: [inner],
  };
  expect(foreign).not.toBeInstanceOf(Float64Array);
  const adopted = adoptState(state);
  for (const { data } of [adopted.tensors.a!, adopted.parts![0]!.tensors.b!]) {
    expect(data).toBeInstanceOf(Float64Array);
    expect(data).toEqual(Float64Array.of(2, 3));
    expect(data.buffer).toBe(foreign.buffer);
  }
  expect(buffersOf(state)).toEqual([foreign.buffer]);
});

test("a state's buffers are found in its parts too, each once", () => {
  const data = new Float64Array(3);
  const tensors = { a: { shape: [3], data }, b: { shape: [2], data: data.subarray(1) } };
  const part = {
    kind: "B",
    params: {},
    values: {},
    tensors: { c: { shape: [1], data: new Float64Array(1) } },
  };
  expect(buffersOf({ kind: "A", params: {}, values: {}, tensors, parts: [part] })).toHaveLength(2);
});

describe("errors on the way back", () => {
  const across = (error: unknown) => unpackError(structuredClone(packError(error)));
  const details = {
    where: "Ridge.fit",
    subject: "X",
    expected: "finite",
    received: "NaN",
    advice: "Remove it.",
  };

  test("keep their class, fields, message and stack", () => {
    for (const Class of [ParameterError, ShapeError, DataError]) {
      const error = new Class(details);
      const copy = across(error);
      expect(copy).toBeInstanceOf(Class);
      expect({ ...copy }).toEqual({ ...error });
      expect(copy.message).toBe("Ridge.fit: X must be finite, got NaN. Remove it.");
      expect(copy.stack).toBe(error.stack);
    }
  });

  test("of the language and of signals too", () => {
    expect(across(new AbortError("Ridge.fit"))).toEqual(new AbortError("Ridge.fit"));
    expect(across(new AbortError("Ridge.fit"))).toBeInstanceOf(AbortError);
    expect(across(new RangeError("too long"))).toBeInstanceOf(RangeError);
    expect(across(Object.assign(new Error("unreachable"), { name: "RuntimeError" }))).toMatchObject({
      name: "RuntimeError",
      message: "unreachable",
    });
    expect(across("just text")).toMatchObject({ message: "just text" });
  });
});
