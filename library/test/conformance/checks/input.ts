import { runInNewContext } from "node:vm";
import { expect } from "vitest";
import type { MatrixLike } from "../../../src/core/contract.js";
import { DataError, ShapeError } from "../../../src/core/errors.js";
import { CsrMatrix } from "../../../src/data/csr-matrix.js";
import { Matrix } from "../../../src/data/matrix.js";
import { Table } from "../../../src/data/table/table.js";
import { problem } from "../data.js";
import type { AnyModel, Check, Subject } from "../subject.js";
import { answers, answersOf, capabilities, expectError, expectSame, precise, replies } from "../subject.js";

/** X in every dense form of the contract. All hold the same doubles. */
function denseKinds(X: number[][]): Record<string, MatrixLike> {
  const matrix = Matrix.fromRows(X);
  const { rows, cols } = matrix;
  const columns = Object.fromEntries(X[0]!.map((_, j) => [`x${j}`, matrix.column(j)]));
  return {
    "number[][]": X,
    "rows of Float64Array": X.map((row) => Float64Array.from(row)),
    "rows of Float32Array": X.map((row) => Float32Array.from(row)),
    Matrix: matrix,
    "Matrix of 32-bit floats": new Matrix(Float32Array.from(matrix.data), rows, cols),
    "{ data, rows, cols }": { data: Float32Array.from(matrix.data), rows, cols },
    "{ data, rows, cols } of a plain array": { data: [...matrix.data], rows, cols },
    "{ data, shape }": { data: Float64Array.from(matrix.data), shape: [rows, cols] },
    Table: Table.fromColumns(columns),
    "a part of a larger buffer": new Matrix(shifted(matrix.data), rows, cols),
  };
}

/** The same numbers, in the middle of a buffer. */
function shifted(data: Float64Array): Float64Array {
  const larger = new Float64Array(data.length + 5);
  larger.set(data, 3);
  return larger.subarray(3, 3 + data.length);
}

const replaced = (X: number[][], i: number, j: number, value: number) =>
  X.map((row, r) => (r === i ? row.map((old, c) => (c === j ? value : old)) : row));

/** Runs a claim on fit and on every method of a fitted model that takes X. */
function everywhere(subject: Subject, run: (call: (x: unknown) => unknown, X: number[][]) => void): void {
  const { X, y } = problem(subject);
  const estimator = subject.make();
  run((x) => estimator.fit(x, y), X);
  const model = estimator.fit(X, y);
  for (const method of methods(model)) run((x) => model[method]!(x), X);
}

const methods = (model: AnyModel) => [
  ...answersOf(model),
  ...(model.inverseTransform ? (["inverseTransform"] as const) : []),
];

export const inputChecks: readonly Check[] = [
  {
    claim: "gives the same answers, bit for bit, for every kind of dense input",
    run: (subject) => {
      const { X, y } = problem(subject);
      const expected = answers(subject.make().fit(X, y), X);
      for (const [kind, x] of Object.entries(denseKinds(X))) {
        const model = subject.make().fit(x, y);
        expectSame(answers(model, X), expected, { within: 0 });
        expectSame(answers(model, x), expected, { within: 0 });
        expect(model.nFeatures, kind).toBe(X[0]!.length);
      }
    },
  },
  {
    claim: "gives the same answers for sparse rows as for dense ones",
    applies: ({ sparse }) => sparse,
    run: (subject) => {
      const { X, y } = problem(subject);
      const thin = X.map((row, i) => row.map((value, j) => ((i + j) % 3 === 0 ? value : 0)));
      const rows = CsrMatrix.fromDense(Matrix.fromRows(thin));
      const estimator = precise(subject);
      const [dense, sparse] = [estimator.fit(thin, y), estimator.fit(rows, y)];
      expectSame(answers(sparse, thin), answers(dense, thin), subject.agreement);
      const rounding = subject.sparsePredictions ?? { within: 1e-12 };
      expectSame(answers(sparse, rows), answers(sparse, thin), rounding);
      const { rows: n, cols, indptr, indices, values } = rows;
      expectSame(answers(sparse, { rows: n, cols, indptr, indices, values }), answers(sparse, rows), {
        within: 0,
      });
    },
  },
  {
    claim: "refuses sparse rows, since it does not declare them",
    applies: ({ sparse }) => !sparse,
    run: (subject) => {
      everywhere(subject, (call, X) => {
        expectError(() => call(CsrMatrix.fromDense(Matrix.fromRows(X))), DataError, /X must be dense/);
      });
    },
  },
  {
    claim: "leaves X, y and weights as they are",
    run: (subject) => {
      const { X, y } = problem(subject);
      const matrix = Matrix.fromRows(X);
      const labels = y && (typeof y[0] === "number" ? Float64Array.from(y as number[]) : [...y]);
      const weights = capabilities(subject).sampleWeight
        ? Float64Array.from(X, (_, i) => 1 + (i % 2))
        : undefined;
      const before = structuredClone({ data: matrix.data, labels, weights });
      const model = subject.make().fit(matrix, labels, { sampleWeight: weights });
      answers(model, matrix);
      if (y) model.score?.(matrix, labels);
      expect({ data: matrix.data, labels, weights }).toEqual(before);
    },
  },
  {
    claim: "keeps what it learned when X changes afterwards, and does not hand out X or itself",
    run: (subject) => {
      const { X, y } = problem(subject);
      const matrix = Matrix.fromRows(X);
      const model = subject.make().fit(matrix, y);
      const expected = structuredClone(answers(model, X));
      matrix.data.fill(7);
      for (const list of Object.values(answers(model, Matrix.fromRows(X)))) (list as Float64Array).fill?.(7);
      expectSame(answers(model, X), expected, { within: 0 });
    },
  },
  {
    claim: "refuses ragged rows",
    run: (subject) =>
      everywhere(subject, (call, X) => {
        expectError(
          () => call([...X.slice(0, 5), X[5]!.slice(1)]),
          ShapeError,
          new RegExp(`X\\[5\\] must be as long as X\\[0\\] \\(${X[0]!.length}\\)`),
        );
      }),
  },
  {
    claim: "refuses NaN and infinities, and says where they are",
    applies: ({ missing }) => !missing,
    run: (subject) =>
      everywhere(subject, (call, X) => {
        const last = X[0]!.length - 1;
        const inner = Math.max(0, last - 1);
        for (const value of [Number.NaN, Infinity, -Infinity]) {
          expectError(
            () => call(replaced(X, 7, inner, value)),
            DataError,
            new RegExp(`X\\[7\\]\\[${inner}\\] must be a finite number, got`),
          );
          const matrix = Matrix.fromRows(replaced(X, 59, last, value));
          expectError(() => call(matrix), DataError, new RegExp(`X\\[59\\]\\[${last}\\]`));
        }
      }),
  },
  {
    claim: "refuses what is not a matrix",
    run: (subject) =>
      everywhere(subject, (call) => {
        for (const x of [
          undefined,
          null,
          5,
          "X",
          {},
          [1, 2, 3],
          // Cells of text are what an encoder is for.
          ...(capabilities(subject).categorical ? [] : [[["1", "2", "3", "4"]]]),
          new Float64Array(4),
        ]) {
          expectError(() => call(x), DataError);
        }
        expectError(() => call({ data: [1, 2, 3], rows: 1, cols: 4 }), ShapeError);
      }),
  },
  {
    claim: "refuses a table with a text column by its name",
    applies: ({ categorical }) => !categorical,
    run: (subject) =>
      everywhere(subject, (call) => {
        const table = Table.fromColumns({ a: [1], b: [2], c: [3], city: ["Oslo"] });
        expectError(() => call(table), DataError, /column "city" must be numeric or boolean/);
      }),
  },
  {
    claim: "takes arrays of another realm, as Jest, jsdom and iframes make them",
    run: (subject) => {
      const { X, y } = problem(subject);
      const cols = X[0]!.length;
      const abroad = (code: string, value: unknown) =>
        runInNewContext(code, { text: JSON.stringify(value) }) as never;
      const expected = answers(subject.make().fit(X, y), X);
      const data = abroad("Float64Array.from(JSON.parse(text).flat())", X);
      expect(data).not.toBeInstanceOf(Float64Array);
      const targets = y && abroad("JSON.parse(text)", y);
      const { indptr, indices, values } = CsrMatrix.fromDense(Matrix.fromRows(X));
      const sparse = new CsrMatrix({
        rows: X.length,
        cols,
        indptr: abroad("Int32Array.from(JSON.parse(text))", [...indptr]),
        indices: abroad("Int32Array.from(JSON.parse(text))", [...indices]),
        values: abroad("Float64Array.from(JSON.parse(text))", [...values]),
      });
      const weights = abroad(
        "Float64Array.from(JSON.parse(text))",
        X.map(() => 1),
      );
      const kinds = [
        new Matrix(data, X.length, cols),
        { data, rows: X.length, cols },
        { data, shape: [X.length, cols] },
        abroad("JSON.parse(text).map((row) => Float32Array.from(row))", X),
        abroad("JSON.parse(text)", X),
        ...(capabilities(subject).sparse ? [sparse.toDense()] : []),
      ];
      for (const x of kinds) {
        const model = subject.make().fit(x, targets);
        expectSame(answers(model, x), expected, { within: 0 });
      }
      const known = capabilities(subject);
      if (known.sampleWeight) subject.make().fit(X, y, { sampleWeight: weights });
      if (known.sparse) answers(subject.make().fit(sparse, y), sparse);
    },
  },
  {
    claim: "refuses arrays whose memory was transferred away, and sparse rows that were changed",
    run: (subject) =>
      everywhere(subject, (call, X) => {
        const matrix = Matrix.fromRows(X);
        const gone = (buffer: ArrayBufferLike) =>
          structuredClone(buffer, { transfer: [buffer as ArrayBuffer] });
        gone(matrix.data.buffer);
        expectError(() => call(matrix), ShapeError, /transferred away/);
        expectError(
          () => call({ data: matrix.data, rows: X.length, cols: 4 }),
          ShapeError,
          /transferred away/,
        );
        const changes: ((x: CsrMatrix) => void)[] = [
          ({ indices }) => indices.fill(1e9),
          ({ indices }) => (indices[2] = -1),
          ({ indices }) => (indices[0] = 4),
          ({ indptr }) => (indptr[1] = 1e6),
          ({ indptr }) => (indptr[1] = -3),
          ({ values }) => gone(values.buffer),
          ({ indptr }) => gone(indptr.buffer),
        ];
        for (const change of changes) {
          const sparse = CsrMatrix.fromDense(Matrix.fromRows(X));
          change(sparse);
          expectError(() => call(sparse), DataError);
        }
      }),
  },
  {
    claim: "cannot learn from no rows or no columns",
    run: (subject) => {
      for (const x of [[], [[], []], Matrix.zeros(0, 4), Matrix.zeros(4, 0)]) {
        expectError(() => subject.make().fit(x, []), ShapeError, /at least one row and one column/);
      }
    },
  },
  {
    claim: "answers nothing for no rows, and one row like the same row among others",
    run: (subject) => {
      const { X, y } = problem(subject);
      const model = subject.make().fit(X, y);
      for (const none of [[], Matrix.zeros(0, 4)]) {
        for (const [method, list] of Object.entries(replies(model, none)))
          expect(list.length, method).toBe(0);
      }
      const all = replies(model, X);
      const single = replies(model, [X[9]!]);
      for (const [method, list] of Object.entries(all)) {
        const width = list.length / X.length;
        expectSame(
          { [method]: single[method]! },
          { [method]: list.slice(9 * width, 10 * width) as Float64Array },
          { within: 1e-12 },
        );
      }
    },
  },
  {
    claim: "refuses rows of another width than it was fitted on",
    run: (subject) => {
      const { X, y } = problem(subject);
      const model = precise(subject).fit(X, y);
      for (const method of methods(model)) {
        // The way back starts from what transform gives, which may be wider or narrower.
        const width = method === "inverseTransform" ? model.transform!(X).cols : X[0]!.length;
        const rows = (count: number) =>
          X.map((row) => Array.from({ length: count }, (_, j) => row[j % row.length]!));
        expectError(
          () => model[method]!(rows(width - 1)),
          ShapeError,
          new RegExp(`X must be ${width} columns wide, as in fit`),
        );
        expectError(() => model[method]!(rows(width + 1)), ShapeError, `got ${width + 1} columns`);
      }
    },
  },
];
