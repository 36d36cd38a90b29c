import { describe, expect, it } from "vitest";
import { functionNames, keepsZero, namedFunctions } from "../core/params/named-functions.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { Matrix } from "../data/matrix.js";
import { Table } from "../data/table/table.js";
import { Ridge } from "../linear/index.js";
import { loadModel, saveModel } from "../persistence/index.js";
import { pipeline } from "../pipeline/index.js";
import { FunctionTransformer } from "./index.js";

const values = [0.1, 0.25, 0.5, 0.75, 0.9];

describe("functions by name", () => {
  it("are those of the engine within a rounding or two", () => {
    const reference: Record<(typeof functionNames)[number], (x: number) => number> = {
      abs: Math.abs,
      arctanh: Math.atanh,
      cbrt: Math.cbrt,
      cos: Math.cos,
      cube: (x) => x ** 3,
      exp: Math.exp,
      expit: (x) => 1 / (1 + Math.exp(-x)),
      expm1: Math.expm1,
      log: Math.log,
      log1p: Math.log1p,
      logit: (x) => Math.log(x / (1 - x)),
      negative: (x) => -x,
      reciprocal: (x) => 1 / x,
      sign: Math.sign,
      sin: Math.sin,
      sqrt: Math.sqrt,
      square: (x) => x * x,
      tanh: Math.tanh,
    };
    for (const name of functionNames)
      for (const x of values) expect(namedFunctions[name].value(x)).toBeCloseTo(reference[name](x), 14);
    expect(namedFunctions.cbrt.value(-8)).toBeCloseTo(-2, 14);
    expect(namedFunctions.cbrt.value(0)).toBe(0);
  });

  it("have the exact roots of cubes", () => {
    for (let root = -60; root <= 60; root++) expect(namedFunctions.cbrt.value(root ** 3)).toBe(root);
    for (const x of [1e300, 5e-324, 1e-310])
      expect(namedFunctions.cbrt.value(x) / Math.cbrt(x)).toBeCloseTo(1, 14);
  });

  it("are undone by their inverses", () => {
    for (const func of functionNames) {
      const model = new FunctionTransformer({ func }).fit(values.map((x) => [x]));
      if (namedFunctions[func].inverse === undefined) {
        expect(() => model.inverseTransform([[1]])).toThrow(/inverseFunc must be a function/);
        continue;
      }
      const back = model.inverseTransform(model.transform(values.map((x) => [x]))) as Matrix;
      for (const [i, x] of values.entries()) expect(back.data[i], func).toBeCloseTo(x, 13);
    }
  });

  it("keep sparse rows sparse if 0 stays 0, and refuse them otherwise", () => {
    const sparse = CsrMatrix.fromDense(
      Matrix.fromRows([
        [0, 0.5],
        [0.25, 0],
      ]),
    );
    for (const func of functionNames) {
      const transformer = new FunctionTransformer({ func });
      expect(transformer.capabilities.sparse).toBe(keepsZero(func));
      if (!keepsZero(func)) {
        expect(() => transformer.fit(sparse)).toThrow(/X must be dense, since zeros, which \w+ changes/);
        continue;
      }
      const Z = transformer.fit(sparse).transform(sparse);
      expect(Z).toBeInstanceOf(CsrMatrix);
      expect((Z as CsrMatrix).values.length).toBe(2);
      // −0 and 0 are the same number to whoever reads them.
      const plain = transformer.fit(sparse.toDense()).transform(sparse.toDense()) as Matrix;
      expect((Z as CsrMatrix).toDense().data.map((z) => z + 0)).toEqual(plain.data.map((z) => z + 0));
    }
  });

  it("name the entry that they are not defined for", () => {
    expect(() =>
      new FunctionTransformer({ func: "log" }).fit([
        [1, 2],
        [3, 0],
      ]),
    ).toThrow("FunctionTransformer.fit: X[1][1] must be a number whose log is finite, got 0.");
    const model = new FunctionTransformer({ func: "exp" }).fit([[1]]);
    expect(() => model.transform([[1000]])).toThrow(/X\[0\]\[0\] must be a number whose exp is finite/);
  });
});

describe("FunctionTransformer", () => {
  const table = Table.fromColumns({ a: [1, 2, 3], b: [4, 5, 6] });

  it("changes nothing by default", () => {
    const model = new FunctionTransformer().fit(table);
    expect(model.transform(table)).toEqual(table.toMatrix());
    expect(model.inverseTransform([[1, 2]])).toEqual(Matrix.fromRows([[1, 2]]));
    expect(model.featureNames()).toEqual(["a", "b"]);
  });

  it("calls a function with a matrix of the columns of fit, whatever their order, and names what it returns", () => {
    const ratio = new FunctionTransformer({
      func: (x) => Matrix.fromRows(x.toArray().map(([a, b]) => [a! / b!])),
      featureNamesOut: ([a, b]) => [`${a} per ${b}`],
    });
    const model = ratio.fit(table);
    expect(model.nOutputs).toBe(1);
    expect(model.featureNames()).toEqual(["a per b"]);
    expect(model.transform(table.select(["b", "a"])).toArray()).toEqual([[0.25], [0.4], [0.5]]);
    expect(new FunctionTransformer({ func: (x) => x.selectColumns([0]) }).fit(table).featureNames()).toEqual([
      "functiontransformer0",
    ]);
  });

  it("shares no memory with the caller's rows, if it changes nothing", () => {
    const X = Matrix.fromRows([[1, 0]]);
    const sparse = CsrMatrix.fromDense(X);
    const model = new FunctionTransformer({ func: null }).fit(X);
    model.transform(X).data[0] = 7;
    (model.inverseTransform(X) as Matrix).data[0] = 7;
    model.transform(sparse).values[0] = 7;
    expect(X.toArray()).toEqual([[1, 0]]);
    expect(sparse.toDense()).toEqual(X);
  });

  it("does not let a function change the caller's rows", () => {
    const X = Matrix.fromRows([[1], [2]]);
    const func = (x: Matrix) => {
      x.data.fill(7);
      return x;
    };
    expect(new FunctionTransformer({ func }).fitTransform(X).toArray()).toEqual([[7], [7]]);
    expect(X.toArray()).toEqual([[1], [2]]);
  });

  it("warns if inverseFunc is not the inverse, unless it is not asked to check", () => {
    const warnings: string[] = [];
    const onWarning = (text: string) => warnings.push(text);
    new FunctionTransformer({ func: "square", inverseFunc: "sqrt" }).fit([[1], [2]], { onWarning });
    expect(warnings).toEqual([]);
    const wrong = { func: "square", inverseFunc: "cbrt" } as const;
    new FunctionTransformer({ ...wrong, checkInverse: false }).fit([[1], [2]], { onWarning });
    expect(warnings).toEqual([]);
    new FunctionTransformer(wrong).fit([[1], [2]], { onWarning });
    expect(warnings).toEqual(["FunctionTransformer: inverseFunc does not undo func on rows of X."]);
  });

  it("is saved with a name, and refuses to be saved with a function", () => {
    const y = [1, 2, 3];
    const model = pipeline(new FunctionTransformer({ func: "log1p" }), new Ridge()).fit(table, y);
    expect(loadModel(saveModel(model)).predict!(table)).toEqual(model.predict(table));
    const own = pipeline(new FunctionTransformer({ func: (x) => x }), new Ridge()).fit(table, y);
    expect(own.predict(table).length).toBe(3);
    expect(() => saveModel(own)).toThrow(
      /func must be no function of your own, since code cannot be saved or sent to a worker, got a function\. Use a function by name/,
    );
  });

  it("refuses outputs that are not rows of numbers, or not as many", () => {
    const run = (func: (x: Matrix) => never) => new FunctionTransformer({ func }).fit(table);
    expect(() => run(() => [[Number.NaN]] as never)).toThrow(/must be a finite number/);
    expect(() => run(() => [[1]] as never)).toThrow(
      "FunctionTransformer.fit: the output of func must be 3 rows long, like its input, got 1 rows.",
    );
    expect(() => run(() => "text" as never)).toThrow(/must be rows of numbers/);
    const names = new FunctionTransformer({ func: "abs", featureNamesOut: () => ["a"] }).fit(table);
    expect(() => names.featureNames()).toThrow(/featureNamesOut returns must be 2 different names/);
    expect(() => new FunctionTransformer({ func: "lg" as never })).toThrow(/func must be one of "abs"/);
    const sparse = CsrMatrix.fromDense(table.toMatrix());
    expect(() => new FunctionTransformer({ func: (x) => x }).fit(sparse)).toThrow(
      /X must be dense, since functions of your own get a dense matrix/,
    );
  });
});
