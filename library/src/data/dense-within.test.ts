import { expect, it } from "vitest";
import { kernelMatrix } from "../kernel-functions/index.js";
import { SVC } from "../svm/svc.js";
import { CsrMatrix } from "./csr-matrix.js";
import { denseWithin } from "./dense-within.js";
import { Matrix } from "./matrix.js";

/** 20,000 × 15,000 with one number per row: 2.3 GB if it were dense. */
const wide = CsrMatrix.fromRows(
  Array.from({ length: 20_000 }, (_, i) => [[i % 15_000, 1]] as [number, number][]),
  15_000,
);

it("small sparse rows become dense, dense ones stay as they are", () => {
  const dense = Matrix.fromRows([[0, 2]]);
  expect(denseWithin("test", CsrMatrix.fromDense(dense), "something needs")).toEqual(dense);
  expect(denseWithin("test", dense, "something needs")).toBe(dense);
});

it("larger ones are refused with the memory that they would need", () => {
  const message =
    /X must be dense, or of at most 256 MB as dense rows, which .* needs, got sparse rows of 20000 × 15000, 2289 MB as dense/;
  expect(() => denseWithin("test", wide, "something needs")).toThrow(message);
  const product = (a: ArrayLike<number>, b: ArrayLike<number>) => a[0]! * b[0]!;
  expect(() => kernelMatrix(product, wide)).toThrow(message);
  const y = Array.from({ length: wide.rows }, (_, i) => i % 2);
  expect(() => new SVC({ kernel: product }).fit(wide, y)).toThrow(message);
});

it("CsrMatrix.row has the zeros too", () => {
  const sparse = CsrMatrix.fromRows([[], [[2, 5]]], 3);
  expect([...sparse.row(1)]).toEqual([0, 0, 5]);
  expect([...sparse.row(0)]).toEqual([0, 0, 0]);
  for (const i of [-1, 2, 0.5]) expect(() => sparse.row(i)).toThrow("the row must be from 0 to 1");
});
