import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { Worker } from "node:worker_threads";
import {
  accuracyScore,
  background,
  CsrMatrix,
  formatLibsvmModel,
  formatSvmlight,
  LogisticRegression,
  loadModel,
  Matrix,
  NumericColumn,
  parseLibsvmModel,
  parseSvmlight,
  Ridge,
  SVC,
  saveModel,
  selectRows,
  Table,
} from "argmax";
import { describe, expect, test } from "vitest";
import { repository } from "./bundle.js";

// Tests run the source; a worker is a file, so it is the one that the build wrote.
const worker = () => new Worker(join(repository, "library/dist/background/worker.js"));

/** Values of another realm: what a test runner, a frame or `node:vm` hands over. */
const realm = createContext({});
const foreign = <T>(source: string): T => runInContext(source, realm) as T;
const copy = <A extends object>(type: string, values: ArrayLike<number>): A =>
  foreign<(v: number[]) => A>(`(values) => ${type}.from(values)`)(Array.from(values));

const X = Matrix.fromRows([
  [1, 2],
  [3, 5],
  [4, 4],
  [6, 1],
]);
const y = [1, 2, 3, 4];

test("the realm is another one", () => {
  expect(copy("Float64Array", [1])).not.toBeInstanceOf(Float64Array);
  expect(foreign("[]")).not.toBeInstanceOf(Array);
});

describe("bytes of another realm", () => {
  const bytes = (given: Uint8Array) => copy<Uint8Array>("Uint8Array", given);

  test("are a saved model", () => {
    const model = new Ridge().fit(X, y);
    const file = bytes(saveModel(model));
    expect(loadModel(file)).toMatchObject({ coef: model.coef });
    expect(loadModel(file.buffer as ArrayBuffer)).toMatchObject({ coef: model.coef });
  });

  test("are a text of LIBSVM's, data or model", () => {
    const labels = ["a", "b", "a", "b"];
    const text = new TextEncoder().encode(formatSvmlight(X, y));
    expect(parseSvmlight(bytes(text)).X.toDense()).toEqual(X);
    const saved = formatLibsvmModel(new SVC().fit(X, [0, 1, 0, 1]));
    const model = parseLibsvmModel(bytes(new TextEncoder().encode(saved)));
    expect(model.predict(X)).toHaveLength(labels.length);
  });
});

describe("typed arrays of another realm", () => {
  for (const type of ["Float64Array", "Float32Array", "Int32Array"] as const) {
    const values = <A extends object>(list: ArrayLike<number>) => copy<A>(type, list);

    test(`${type}: rows, targets, weights`, () => {
      const rows = [...X.toArray()].map((row) => values<Float64Array>(row));
      const model = new Ridge().fit(rows, values<Float64Array>(y), {
        sampleWeight: values<Float64Array>([1, 2, 1, 2]),
      });
      expect(model.coef).toEqual(new Ridge().fit(X, y, { sampleWeight: [1, 2, 1, 2] }).coef);
      const labels = values<Int32Array>([0, 1, 0, 1]);
      expect(new LogisticRegression().fit(X, labels).classes).toEqual([0, 1]);
      expect(accuracyScore(labels, [0, 1, 0, 1])).toBe(1);
    });

    test(`${type}: the numbers of a matrix`, () => {
      const data = values<Float64Array>(X.data);
      const coef = new Ridge().fit(X, y).coef;
      expect(new Ridge().fit({ data, rows: 4, cols: 2 }, y).coef).toEqual(coef);
      expect(new Ridge().fit({ data, shape: [4, 2] }, y).coef).toEqual(coef);
      if (type !== "Int32Array") expect(new Ridge().fit(new Matrix(data, 4, 2), y).coef).toEqual(coef);
    });
  }

  test("columns, and rows to select", () => {
    const column = copy<Float64Array>("Float64Array", [1, 2, 3]);
    expect(Array.from(Table.fromColumns({ a: column }).column("a").values)).toEqual([1, 2, 3]);
    expect(new NumericColumn(column).values).toEqual(Float64Array.of(1, 2, 3));
    expect(Array.from(selectRows(column, copy<Int32Array>("Int32Array", [2, 0])))).toEqual([3, 1]);
  });

  test("sparse rows", () => {
    const { rows, cols, indptr, indices, values } = CsrMatrix.fromDense(X);
    const given = {
      rows,
      cols,
      indptr: copy<Int32Array>("Int32Array", indptr),
      indices: copy<Int32Array>("Int32Array", indices),
      values: copy<Float64Array>("Float64Array", values),
    };
    expect(new CsrMatrix(given).toDense()).toEqual(X);
    expect(new Ridge().fit(given, y).coef).toEqual(new Ridge().fit(CsrMatrix.fromDense(X), y).coef);
  });

  test("in the background", async () => {
    const data = copy<Float64Array>("Float64Array", X.data);
    const targets = copy<Float64Array>("Float64Array", y);
    const model = await background(new Ridge(), { worker }).fit({ data, rows: 4, cols: 2 }, targets);
    expect(model.coef).toEqual(new Ridge().fit(X, y).coef);
  });
});
