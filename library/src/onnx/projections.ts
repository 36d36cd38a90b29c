import type { ModelState } from "../core/state.js";
import { Monomials } from "../preprocessing/monomials.js";
import { degreesOf } from "../preprocessing/polynomial-features.js";
import { tensorOf, transposed } from "./converter.js";
import type { Graph } from "./graph.js";
import { Rows } from "./rows.js";

/** (x − mean) Vᵀ, divided by the deviations if `whiten`. */
export function pca(state: ModelState, rows: Rows, graph: Graph): Rows {
  const d = rows.cols;
  const components = tensorOf(state, "components");
  if (state.params["whiten"] === true) {
    const variances = tensorOf(state, "explainedVariance");
    for (let e = 0; e < components.length; e++) {
      const variance = variances[Math.floor(e / d)]!;
      components[e] = variance > 0 ? components[e]! / Math.sqrt(variance) : 0;
    }
  }
  const centred = graph.op("Sub", [rows.matrix(graph), graph.numbers(tensorOf(state, "mean"), [d])]);
  return projected(graph, centred, components, d);
}

/** x Vᵀ. */
export const truncatedSvd = (state: ModelState, rows: Rows, graph: Graph): Rows =>
  projected(graph, rows.matrix(graph), tensorOf(state, "components"), rows.cols);

function projected(graph: Graph, x: string, components: Float64Array, d: number): Rows {
  const k = components.length / d;
  return Rows.matrix(graph.op("MatMul", [x, graph.numbers(transposed(components, k, d), [d, k])]), k);
}

/** Products of columns, the last factor first; a column of ones stands for the factors that a shorter product lacks. */
export function polynomialFeatures(state: ModelState, rows: Rows, graph: Graph): Rows {
  const { degree, interactionOnly, includeBias } = state.params;
  const [low, high] = degreesOf(degree as unknown as number);
  const d = rows.cols;
  const monomials = new Monomials("toOnnx", d, low, high, interactionOnly === true, includeBias === true);
  const factors = Array.from({ length: Math.max(1, high) }, () => new Array<number>(monomials.count).fill(d));
  monomials.forEach((output, columns) => {
    for (const [f, j] of columns.entries()) factors[f]![output] = j;
  });
  const withOne = graph.op("Pad", [rows.matrix(graph), graph.integers([0, 0, 0, 1], [4]), graph.number(1)]);
  const gathered = factors.map((columns) =>
    graph.op("Gather", [withOne, graph.integers(columns, [columns.length])], { axis: { int: 1 } }),
  );
  return Rows.matrix(
    gathered.reduceRight((product, factor) => graph.op("Mul", [factor, product])),
    monomials.count,
  );
}
