import { describe, expect, it } from "vitest";
import { Random } from "../../core/numbers/random.js";
import type { NdArray } from "./arrays.js";
import { tensor } from "./computation.js";
import { evaluate, grad, type TensorFunction, valueAndGrad } from "./differentiate.js";
import { computationGraph } from "./graph.js";
import { operationNames } from "./local-derivatives.js";
import { add, divide, maximum, minimum, multiply, subtract } from "./ops/arithmetic.js";
import { dense } from "./ops/dense.js";
import {
  abs,
  cos,
  exp,
  gaussian,
  gelu,
  inverseMultiquadric,
  leakyRelu,
  log,
  negative,
  power,
  reciprocal,
  relu,
  scale,
  sigmoid,
  sin,
  softplus,
  sqrt,
  square,
  tanh,
} from "./ops/functions.js";
import { averagePool, conv2d, maxPool } from "./ops/images.js";
import { batchNorm, dropout, layerNorm } from "./ops/normalization.js";
import { matmul } from "./ops/products.js";
import { max, mean, sum } from "./ops/reductions.js";
import { broadcastTo, concat, gather, pad, reshape, slice, transpose } from "./ops/shapes.js";
import {
  logSoftmax,
  sigmoidCrossEntropy,
  softmax,
  softmaxCrossEntropy,
  squaredError,
} from "./ops/softmax.js";
import { type Shape, sizeOf } from "./shape.js";
import type { Tensor } from "./tensor.js";

const random = new Random(7);
const draw = (shape: Shape, from = -1, to = 1): NdArray => ({
  shape,
  data: Float64Array.from({ length: sizeOf(shape) }, () => from + (to - from) * random.uniform()),
});

/** Weights that make one number of a tensor, so that no entry's gradient can hide behind another's. */
const weigh = (y: Tensor): Tensor => {
  const weights = Float64Array.from({ length: y.size }, (_, e) => Math.sin(1 + 1.7 * e));
  return sum(multiply(y, { data: weights, shape: y.shape }));
};

/** Central differences in 64 bits: error of order step² ≈ 1e-10, rounding 1e-16/step ≈ 1e-11. */
const STEP = 1e-5;
function expectGradients(f: TensorFunction<readonly Tensor[]>, inputs: readonly NdArray[]): void {
  const whole = (...args: Tensor[]) => weigh(f(...args));
  const { gradients } = valueAndGrad(whole, { dtype: "float64" })(...inputs);
  const value = evaluate(whole, { dtype: "float64" });
  for (const [k, input] of inputs.entries()) {
    expect(gradients[k]!.shape).toEqual(input.shape);
    for (let e = 0; e < input.data.length; e++) {
      const moved = (by: number) => {
        const data = Float64Array.from(input.data);
        data[e]! += by;
        return value(...inputs.map((given, other) => (other === k ? { ...given, data } : given))).data[0]!;
      };
      const slope = (moved(STEP) - moved(-STEP)) / (2 * STEP);
      // 1e-7: the third derivatives of what is tested here are below 1e3.
      expect(Math.abs(gradients[k]!.data[e]! - slope)).toBeLessThan(1e-7 * Math.max(1, Math.abs(slope)));
    }
  }
}

type Case = readonly [string, TensorFunction<readonly Tensor[]>, readonly NdArray[]];
const cases: Case[] = [
  ["add with broadcasting", (a, b) => add(a!, b!), [draw([3, 1, 4]), draw([2, 1])]],
  ["subtract a row", (a, b) => subtract(a!, b!), [draw([3, 4]), draw([4])]],
  ["multiply a column", (a, b) => multiply(a!, b!), [draw([3, 4]), draw([3, 1])]],
  ["multiply by itself", (a) => multiply(a!, a!), [draw([5])]],
  ["divide", (a, b) => divide(a!, b!), [draw([2, 3]), draw([3], 0.5, 2)]],
  ["divide a number by a matrix", (a, b) => divide(a!, b!), [draw([]), draw([2, 3], 0.5, 2)]],
  ["maximum", (a, b) => maximum(a!, b!), [draw([6]), draw([6])]],
  ["minimum with a number", (a) => minimum(a!, 0.1), [draw([7])]],
  ["matmul", (a, b) => matmul(a!, b!), [draw([3, 5]), draw([5, 4])]],
  ["matmul with a vector", (a, b) => matmul(a!, b!), [draw([3, 5]), draw([5])]],
  ["matmul of a vector", (a, b) => matmul(a!, b!), [draw([5]), draw([5, 2])]],
  ["matmul of a batch", (a, b) => matmul(a!, b!), [draw([2, 3, 3, 4]), draw([2, 3, 4, 5])]],
  ["matmul of a batch with one matrix", (a, b) => matmul(a!, b!), [draw([2, 3, 4]), draw([4, 5])]],
  ["dense", (x, w, b) => dense(x!, w!, b!), [draw([4, 3]), draw([3, 5]), draw([5])]],
  ["dense without bias", (x, w) => dense(x!, w!, undefined), [draw([2, 4, 3]), draw([3, 2])]],
  ...(["tanh", "relu", "gelu", "softplus", "leakyRelu", "sigmoid"] as const).map(
    (name): Case => [
      `dense with ${name}`,
      (x, w, b) => dense(x!, w!, b!, { name }),
      [draw([4, 3]), draw([3, 5]), draw([5])],
    ],
  ),
  ["sum", (x) => sum(x!), [draw([2, 3])]],
  ["sum over axes", (x) => sum(x!, { axis: [0, 2] }), [draw([2, 3, 4])]],
  ["mean over the last axis", (x) => mean(x!, { axis: -1, keepDims: true }), [draw([2, 3])]],
  ["mean over the first axis", (x) => mean(x!, { axis: 0 }), [draw([5, 3])]],
  ["max over an axis", (x) => max(x!, { axis: 1 }), [draw([2, 4, 3])]],
  ["reshape", (x) => reshape(multiply(x!, 2), [3, -1]), [draw([2, 6])]],
  ["reshape used twice", (x) => add(reshape(x!, [6]), reshape(multiply(x!, x!), [6])), [draw([2, 3])]],
  ["transpose", (x) => transpose(x!), [draw([3, 5])]],
  ["transpose of axes", (x) => transpose(x!, [0, 2, 1, 3]), [draw([2, 3, 4, 2])]],
  ["slice", (x) => slice(x!, [1, 0], [3, 2]), [draw([4, 3])]],
  ["concat", (a, b) => concat([a!, b!], 1), [draw([2, 3]), draw([2, 2])]],
  [
    "pad",
    (x) =>
      pad(x!, [
        [1, 0],
        [2, 1],
      ]),
    [draw([2, 3])],
  ],
  ["broadcastTo", (x) => broadcastTo(x!, [3, 2, 4]), [draw([2, 1])]],
  ["gather", (table) => gather(table!, [2, 0, 2, 1], [2, 2]), [draw([3, 4])]],
  ["softmax", (z) => softmax(z!), [draw([3, 5], -3, 3)]],
  ["logSoftmax", (z) => logSoftmax(z!), [draw([3, 5], -3, 3)]],
  ["softmaxCrossEntropy", (z) => softmaxCrossEntropy(z!, [1, 0, 4], [1, 2, 0.5]), [draw([3, 5], -3, 3)]],
  ["sigmoidCrossEntropy", (z) => sigmoidCrossEntropy(z!, [1, 0, 1, 0.3]), [draw([4], -3, 3)]],
  [
    "squaredError",
    (z) =>
      squaredError(
        z!,
        [
          [1, 2],
          [3, 4],
          [0, 1],
        ],
        [1, 2, 0.5],
      ),
    [draw([3, 2])],
  ],
  ["layerNorm", (x, g, s) => layerNorm(x!, g!, s!), [draw([3, 6]), draw([6]), draw([6])]],
  ["batchNorm", (x, g, s) => batchNorm(x!, g!, s!).output, [draw([5, 2, 3]), draw([3]), draw([3])]],
  ["dropout", (x) => dropout(x!, 0.4, 11), [draw([20])]],
  ["conv2d", (x, w, b) => conv2d(x!, w!, b!), [draw([2, 5, 4, 3]), draw([2, 3, 3, 4]), draw([4])]],
  [
    "conv2d with stride, padding and an activation",
    (x, w, b) => conv2d(x!, w!, b!, { stride: 2, padding: 1, activation: { name: "tanh" } }),
    [draw([1, 5, 5, 2]), draw([3, 3, 2, 3]), draw([3])],
  ],
  [
    "conv2d in groups",
    (x, w) => conv2d(x!, w!, undefined, { groups: 2, padding: "same" }),
    [draw([2, 3, 3, 4]), draw([3, 3, 2, 6])],
  ],
  ["conv2d with one pixel", (x, w) => conv2d(x!, w!, undefined), [draw([2, 3, 3, 4]), draw([1, 1, 4, 2])]],
  ["maxPool", (x) => maxPool(x!, 2), [draw([2, 4, 4, 3])]],
  ["maxPool with windows of one row", (x) => maxPool(x!, 2, { padding: "same" }), [draw([2, 5, 3, 4])]],
  ["maxPool with overlap", (x) => maxPool(x!, 3, { stride: 2 }), [draw([1, 5, 5, 2])]],
  ["averagePool", (x) => averagePool(x!, 2), [draw([2, 4, 4, 3])]],
  ["averagePool with padding", (x) => averagePool(x!, 3, { stride: 1, padding: 1 }), [draw([1, 4, 4, 2])]],
];
const everywhere = {
  negative,
  exp,
  square,
  abs,
  sin,
  cos,
  sigmoid,
  tanh,
  relu,
  leakyRelu,
  gelu,
  softplus,
  gaussian,
  inverseMultiquadric,
};
for (const [name, f] of Object.entries(everywhere)) cases.push([name, (x) => f(x!), [draw([2, 5], -2, 2)]]);
for (const [name, f] of Object.entries({ log, sqrt, reciprocal }))
  cases.push([name, (x) => f(x!), [draw([2, 5], 0.5, 2)]]);
cases.push(["sigmoid(a, c)", (x) => sigmoid(x!, 2, 0.3), [draw([6], -2, 2)]]);
cases.push(["gaussian(a, c)", (x) => gaussian(x!, 0.7, 0.3), [draw([6], -2, 2)]]);
cases.push(["inverseMultiquadric(a, c)", (x) => inverseMultiquadric(x!, 0.7, 0.3), [draw([6], -2, 2)]]);
cases.push(["scale", (x) => scale(x!, 3, -1), [draw([6])]]);
cases.push(["power", (x) => power(x!, 2.5), [draw([6], 0.5, 2)]]);

describe("the gradient of every operation is its central difference in 64 bits", () => {
  for (const [name, f, inputs] of cases) it(name, () => expectGradients(f, inputs));

  it("of a value that is used in several places is the sum over them", () => {
    expectGradients((x) => multiply(add(x!, tanh(x!)), sum(x!)), [draw([4])]);
  });
});

describe("valueAndGrad", () => {
  it("differentiates ‖Wx‖² as the lecture does", () => {
    const f = (W: Tensor, x: Tensor) => sum(square(matmul(W, x)));
    const W = [
      [0.1, 0.5],
      [-0.3, 0.8],
    ];
    const { value, gradients } = valueAndGrad(f, { dtype: "float64" })(W, [0.2, 0.4]);
    expect(value).toBeCloseTo(0.116, 12);
    expect(Array.from(gradients[0].data, (v) => Number(v.toFixed(12)))).toEqual([0.088, 0.176, 0.104, 0.208]);
    expect(Array.from(gradients[1].data, (v) => Number(v.toFixed(12)))).toEqual([-0.112, 0.636]);
  });

  it("gives gradients of the shapes of their variables", () => {
    const f = (a: Tensor, b: Tensor, c: Tensor) => sum(multiply(add(matmul(a, b), c), 2));
    const gradients = grad(f)(draw([3, 4]), draw([4, 2]), 1);
    expect(gradients.map(({ shape }) => shape)).toEqual([[3, 4], [4, 2], []]);
  });

  it("is 32 bits wide unless asked otherwise, and agrees with 64 bits to their rounding", () => {
    const f = (x: Tensor) => mean(gelu(multiply(x, x)));
    const x = draw([50]);
    const [single] = grad(f)(x);
    const [double] = grad(f, { dtype: "float64" })(x);
    expect(single.data).toBeInstanceOf(Float32Array);
    // Each gradient is some 1/50; 32 bits have 7 digits.
    for (let e = 0; e < 50; e++) expect(Math.abs(single.data[e]! - double.data[e]!)).toBeLessThan(1e-7);
  });

  it("asks for a function with one number as its value", () => {
    expect(() => grad((x: Tensor) => multiply(x, 2))([1, 2])).toThrow(
      "grad: the value of the function must be a single number, since a gradient is that of one number, got 2.",
    );
    expect(() => grad((() => 3) as never)()).toThrow("a function that returns a tensor");
  });

  it("refuses ragged and non-finite arguments, and tensors that outlive their computation", () => {
    expect(() => grad((x: Tensor) => sum(x))([[1, 2], [3]] as never)).toThrow("argument 0 must be 2 × 2");
    expect(() => grad((x: Tensor) => sum(x))([1, Number.NaN])).toThrow(
      "argument 0, entry 1 must be a finite number",
    );
    let leaked: Tensor | undefined;
    evaluate((x: Tensor) => {
      leaked = x;
      return x;
    })([1]);
    expect(() => evaluate(() => multiply(leaked!, 2))()).toThrow("one of a computation that has ended");
    expect(() => tensor([1])).toThrow("no running computation");
  });

  it("refuses tensors of the computation around it, and differentiates an inner one that is given numbers", () => {
    const inner = (x: Tensor) => grad((y: Tensor) => sum(multiply(y, x)))([1, 2]);
    expect(() => grad((x: Tensor) => sum(multiply(x, inner(x)[0])))([3, 4])).toThrow(
      "multiply: the tensor must be part of the running computation, got one of the computation around it.",
    );
    expect(() => grad((x: Tensor) => add(sum(x), evaluate(() => x)()))([3])).toThrow("evaluate: the tensor");
    const given = grad((x: Tensor) => sum(multiply(x, grad((y: Tensor) => sum(square(y)))([1, 2])[0])));
    expect(Array.from(given([3, 4])[0].data)).toEqual([2, 4]);
  });

  it("refuses what is empty, sizes that are not whole numbers, and numbers beyond 32 bits", () => {
    const run = (f: () => Tensor) => () => evaluate(f)();
    expect(() => evaluate((x: Tensor) => mean(x))([])).toThrow(
      "argument 0 must be at least one number, got 0.",
    );
    expect(run(() => matmul({ data: [], shape: [2, 0] }, { data: [], shape: [0, 3] }))).toThrow(
      "at least one",
    );
    expect(run(() => slice([1, 2, 3], [0.5], [2.5]))).toThrow("whole numbers, 0 ≤ begin < end ≤ size");
    expect(run(() => pad([1, 2], [[0.5, 0.5]]))).toThrow("both whole numbers ≥ 0");
    for (const shape of [[-1], [1.5], [0], [Number.NaN]])
      expect(run(() => broadcastTo(1, shape))).toThrow("broadcastTo: shape");
    expect(run(() => gather([[1], [2]], [0, 1, 0, 1], [-2, -2]))).toThrow("gather");
    const image = { data: [1, 2, 3, 4], shape: [1, 2, 2, 1] };
    expect(run(() => maxPool(image, 1, { stride: -1 }))).toThrow("stride must be an integer ≥ 1, got -1.");
    expect(run(() => maxPool(image, 0))).toThrow("the size of the window must be an integer ≥ 1, got 0.");
    expect(run(() => averagePool(image, 1, { padding: -0.5 }))).toThrow("padding must be");
    expect(() => evaluate((x: Tensor) => x)([1, 1e300])).toThrow(
      'argument 0, entry 1 must be at most 3.4e38, as numbers of 32 bits are, got 1e+300. Set dtype: "float64".',
    );
    expect(evaluate((x: Tensor) => x, { dtype: "float64" })([1e300]).data[0]).toBe(1e300);
  });

  it("refuses losses whose weights do not fit or whose targets depend on an argument", () => {
    const run = (f: () => Tensor) => () => evaluate(f)();
    expect(
      run(() =>
        softmaxCrossEntropy(
          [
            [1, 2],
            [3, 4],
          ],
          [0, 1],
          [2],
        ),
      ),
    ).toThrow("weights must be one per row, 2, got 1");
    expect(run(() => squaredError([1, 2, 4], [1, 2, 3], [2]))).toThrow(
      "squaredError: weights must be one per row, 3",
    );
    expect(run(() => sigmoidCrossEntropy([1, 2], [1, 0], [1, 2, 3]))).toThrow(
      "weights must be one per row, 2, got 3",
    );
    expect(() => grad((x: Tensor) => sum(squaredError(tanh(x), x)))([1, 2])).toThrow(
      "squaredError: targets must be constant, since this loss passes no gradient to it",
    );
    expect(() => grad((w: Tensor) => sum(softmaxCrossEntropy([[1, 2]], [1], w)))([1])).toThrow(
      "weights must be constant",
    );
  });

  it("names the shapes that do not fit", () => {
    const run = (f: () => Tensor) => () => evaluate(f)();
    expect(run(() => add([1, 2], [1, 2, 3]))).toThrow("broadcastable to a, which is 2, got 3");
    expect(run(() => matmul([[1, 2]], [[1, 2]]))).toThrow("matmul: b must be a matrix of 2 rows");
    expect(run(() => reshape([1, 2, 3], [2, 2]))).toThrow("3 entries");
    expect(run(() => sum([1, 2], { axis: 1 }))).toThrow("axis must be an axis of 2");
    expect(run(() => gather([[1], [2]], [2]))).toThrow("index 0 must be an integer from 0 to 1, got 2");
    expect(run(() => softmaxCrossEntropy([[1, 2]], [2]))).toThrow("codes[0] must be an integer from 0 to 1");
  });
});

describe("computationGraph", () => {
  const graph = computationGraph((W: Tensor, x: Tensor) => sum(square(matmul(W, x))), {
    names: ["W", "x"],
    dtype: "float64",
  })(
    [
      [0.1, 0.5],
      [-0.3, 0.8],
    ],
    [0.2, 0.4],
  );

  it("lists every value with its gradient and what it passes on", () => {
    expect(graph.toString().split("\n")).toEqual([
      "0: W = [[0.1, 0.5], [-0.3, 0.8]]   gradient [[0.088, 0.176], [0.104, 0.208]]",
      "1: x = [0.2, 0.4]   gradient [-0.112, 0.636]",
      "2: matmul(W, x) = [0.22, 0.26]   gradient [0.44, 0.52]   passes g·bᵀ and aᵀ·g",
      "3: square(#2) = [0.0484, 0.0676]   gradient [1, 1]   passes g·2x",
      "4: sum(#3) = 0.116   gradient 1   passes g to every entry",
    ]);
  });

  it("shows the gradient of a view, not that of what it views", () => {
    const f = (x: Tensor) => {
      const squares = square(x);
      const total = sum(squares);
      return add(sum(reshape(squares, [2, 1])), multiply(total, 10));
    };
    const { nodes } = computationGraph(f)([1, 2]);
    const gradientOf = (op: string) => Array.from(nodes.find((node) => node.op === op)!.gradient!.data);
    expect(gradientOf("reshape")).toEqual([1, 1]);
    expect(gradientOf("square")).toEqual([11, 11]);
  });

  it("is drawn in Graphviz' language", () => {
    expect(graph.toDot()).toContain('n0 -> n2 [label="g·bᵀ"];');
  });

  it("knows what every operation passes on", () => {
    const seen = new Set<string>();
    for (const [, f, inputs] of cases) {
      const { nodes } = computationGraph((...args: Tensor[]) => weigh(f(...args)))(...inputs);
      for (const { op, localDerivatives, inputs: from } of nodes) {
        if (op === undefined) continue;
        expect(localDerivatives, op).toHaveLength(from.length);
        seen.add(op);
      }
    }
    const without = ["linear", "sign", "heaviside", "twoStep", "batchNormFixed"];
    expect([...seen].sort()).toEqual(operationNames.filter((name) => !without.includes(name)).sort());
  });
});
