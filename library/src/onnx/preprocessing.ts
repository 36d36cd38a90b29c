import type { Json, ModelState } from "../core/state.js";
import type { Category } from "../preprocessing/categories.js";
import { blockOf } from "../preprocessing/one-hot-block.js";
import { matrixOf, refuse, type Transformer, tensorOf } from "./converter.js";
import { type Graph, ML, type Value } from "./graph.js";
import { joined, Rows } from "./rows.js";

/** Transformers by the id of their estimator. */
export const transformers: Readonly<Record<string, Transformer>> = {
  Pipeline: (state, rows, graph) =>
    state.parts!.reduce((given, step) => transformed(step, given, graph), rows),
  TableVectorizer: (state, rows, graph) => transformed(state.parts![0]!, rows, graph),
  ColumnTransformer: columnTransformer,
  StandardScaler: (state, rows, graph) => {
    const { withMean, withStd } = state.params;
    return shifted(state, rows, graph, withMean ? "mean" : null, withStd ? "scale" : null);
  },
  RobustScaler: (state, rows, graph) => {
    const { withCentering, withScaling } = state.params;
    return shifted(state, rows, graph, withCentering ? "center" : null, withScaling ? "scale" : null);
  },
  MaxAbsScaler: (state, rows, graph) => shifted(state, rows, graph, null, "scale"),
  MinMaxScaler: minMaxScaler,
  SimpleImputer: simpleImputer,
  OneHotEncoder: oneHotEncoder,
  PCA: pca,
};

/** The columns that a transformer makes of rows. */
export function transformed(state: ModelState, rows: Rows, graph: Graph): Rows {
  const transform = Object.hasOwn(transformers, state.kind) ? transformers[state.kind] : undefined;
  if (transform === undefined)
    refuse("a step of the pipeline", `one of ${Object.keys(transformers).join(", ")}`, state.kind);
  return transform(state, rows, graph);
}

interface Block {
  readonly name: string;
  readonly part: string;
  readonly columns: readonly number[];
}

/** Parts read columns of their own; what they make is side by side. */
function columnTransformer(state: ModelState, rows: Rows, graph: Graph): Rows {
  const blocks = state.values["blocks"] as unknown as readonly Block[];
  let fitted = 0;
  const made = blocks.flatMap(({ part, columns }): Rows[] => {
    if (part === "drop" || columns.length === 0) return [];
    const given = rows.select(graph, columns);
    if (part === "passthrough") return [given];
    return [transformed(state.parts![fitted++]!, given, graph)];
  });
  const values = made.map((block) => matrixOf({ state, rows: block, graph }));
  return Rows.matrix(
    joined(graph, values),
    made.reduce((sum, { cols }) => sum + cols, 0),
  );
}

/** (x − shift) / scale, column by column. */
function shifted(
  state: ModelState,
  rows: Rows,
  graph: Graph,
  shift: string | null,
  scale: string | null,
): Rows {
  const { cols } = rows;
  let value = matrixOf({ state, rows, graph });
  if (shift !== null) value = graph.op("Sub", [value, graph.numbers(tensorOf(state, shift), [cols])]);
  if (scale === null) return Rows.matrix(value, cols);
  const scales = tensorOf(state, scale);
  // ONNX Runtime would keep a single factor before a product in 32 bits.
  value =
    cols === 1
      ? graph.op("MatMul", [value, graph.numbers([1 / scales[0]!], [1, 1])])
      : graph.op("Div", [value, graph.numbers(scales, [cols])]);
  return Rows.matrix(value, cols);
}

function minMaxScaler(state: ModelState, rows: Rows, graph: Graph): Rows {
  const [low, high] = state.params["featureRange"] as unknown as readonly [number, number];
  const [least, most] = [tensorOf(state, "dataMin"), tensorOf(state, "dataMax")];
  const factors = least.map((v, j) => (high - low) / (most[j]! - v || 1));
  const offsets = least.map((v, j) => low - v * factors[j]!);
  const value = graph.op("Add", [
    graph.op("Mul", [matrixOf({ state, rows, graph }), graph.numbers(factors, [rows.cols])]),
    graph.numbers(offsets, [rows.cols]),
  ]);
  if (state.params["clip"] !== true) return Rows.matrix(value, rows.cols);
  return Rows.matrix(graph.op("Clip", [value, graph.number(low), graph.number(high)]), rows.cols);
}

/** Gaps are NaN in a column of numbers, and the empty text in one of categories. */
function simpleImputer(state: ModelState, rows: Rows, graph: Graph): Rows {
  const statistics = state.values["statistics"] as unknown as readonly Json[];
  if (state.params["addIndicator"] === true) refuse("addIndicator of SimpleImputer", "false", "true");
  if (statistics.includes(null)) refuse("the columns of SimpleImputer", "with a value each", "an empty one");
  if (statistics.every((one) => typeof one === "number")) {
    const value = matrixOf({ state, rows, graph });
    const fill = graph.numbers(statistics as number[], [rows.cols]);
    return Rows.matrix(graph.op("Where", [graph.op("IsNaN", [value]), fill, value]), rows.cols);
  }
  const filled = rows.columns.map((column, j) => {
    const { kind, value } = column;
    const fill = statistics[j]!;
    if (kind === "number") {
      const isGap = graph.op("IsNaN", [value]);
      return { ...column, value: graph.op("Where", [isGap, graph.number(Number(fill)), value]) };
    }
    const isGap = graph.op("Equal", [value, graph.texts([""], [])]);
    return { ...column, value: graph.op("Where", [isGap, graph.texts([String(fill)], []), value]) };
  });
  return Rows.table(filled);
}

/** A column of zeros and ones per category; unknown categories are all zeros, or the infrequent one. */
function oneHotEncoder(state: ModelState, rows: Rows, graph: Graph): Rows {
  const categories = state.values["categories"] as unknown as readonly (readonly Category[])[];
  const infrequent = state.values["infrequent"] as unknown as readonly (readonly number[])[];
  const { drop, handleUnknown } = state.params;
  const blocks = categories.map((list, j) => {
    const block = blockOf("toOnnx", list, infrequent[j]!, drop as never, j, categories.length);
    const unknown = handleUnknown === "infrequentIfExist" ? block.rare : -1;
    const cols = block.kept.length;
    return { cols, value: () => oneHot(rows, j, graph, list, block.outputs, unknown, cols) };
  });
  const kept = blocks.filter(({ cols }) => cols > 0);
  return Rows.matrix(
    joined(
      graph,
      kept.map(({ value }) => value()),
    ),
    kept.reduce((sum, { cols }) => sum + cols, 0),
  );
}

/** rows × cols of zeros and ones. */
function oneHot(
  rows: Rows,
  j: number,
  graph: Graph,
  list: readonly Category[],
  outputs: ArrayLike<number>,
  unknown: number,
  cols: number,
): Value {
  const column = rows.whole === undefined ? rows.columns[j]! : undefined;
  const ones = (isThere: Value) => graph.op("Cast", [isThere], { to: { int: 11 } });
  if (column?.kind === "text") {
    const codes = graph.op(
      "LabelEncoder",
      [column.value],
      {
        // A gap is the empty text.
        keys_strings: { texts: list.map((name) => (name === null ? "" : String(name))) },
        values_int64s: { ints: list.map((_, c) => outputs[c]!) },
        default_int64: { int: unknown },
      },
      ML,
    );
    const places = graph.integers([...Array(cols).keys()], [1, cols]);
    return ones(graph.op("Equal", [codes, places]));
  }
  if (list.some((category) => typeof category !== "number"))
    refuse("the categories of OneHotEncoder", "numbers or texts", "others");
  const given = column?.value ?? rows.select(graph, [j]).whole!;
  const known = graph.op("Equal", [given, graph.numbers(list as number[], [1, list.length])]);
  const weights = new Float64Array(list.length * cols);
  for (let c = 0; c < list.length; c++) if (outputs[c]! >= 0) weights[c * cols + outputs[c]!] = 1;
  const found = graph.op("MatMul", [ones(known), graph.numbers(weights, [list.length, cols])]);
  if (unknown < 0) return found;
  // What equals no category.
  const count = graph.op("ReduceSum", [ones(known), graph.integers([1], [1])]);
  const isUnknown = graph.op("Sub", [graph.number(1), count]);
  const target = Float64Array.from({ length: cols }, (_, k) => (k === unknown ? 1 : 0));
  return graph.op("Add", [found, graph.op("Mul", [isUnknown, graph.numbers(target, [1, cols])])]);
}

/** (x − mean) Vᵀ, divided by the deviations if `whiten`. */
function pca(state: ModelState, rows: Rows, graph: Graph): Rows {
  const components = tensorOf(state, "components");
  const d = rows.cols;
  const k = components.length / d;
  const deviations = tensorOf(state, "explainedVariance").map((v) =>
    state.params["whiten"] === true ? 1 / Math.sqrt(v) : 1,
  );
  const weights = new Float64Array(d * k);
  for (let c = 0; c < k; c++)
    for (let j = 0; j < d; j++) weights[j * k + c] = components[c * d + j]! * deviations[c]!;
  const centred = graph.op("Sub", [
    matrixOf({ state, rows, graph }),
    graph.numbers(tensorOf(state, "mean"), [d]),
  ]);
  return Rows.matrix(graph.op("MatMul", [centred, graph.numbers(weights, [d, k])]), k);
}
