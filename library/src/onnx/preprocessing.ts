import { show } from "../core/errors.js";
import type { ModelState } from "../core/state.js";
import { refuse, type Transformer } from "./converter.js";
import { kBinsDiscretizer, oneHotEncoder, ordinalEncoder, targetEncoder } from "./encoders.js";
import type { Graph } from "./graph.js";
import { simpleImputer } from "./imputer.js";
import { pca, polynomialFeatures, truncatedSvd } from "./projections.js";
import { joined, Rows } from "./rows.js";
import { binarizer, minMaxScaler, normalizer, scaled, shifted } from "./scalers.js";

/** Columns that were selected in fit. */
const selected: Transformer = (state, rows, graph) =>
  rows.select(graph, state.values["selected"] as unknown as readonly number[]);

/** Transformers by the id of their estimator. */
const transformers: Readonly<Record<string, Transformer>> = {
  Pipeline: (state, rows, graph) =>
    state.parts!.reduce((given, step) => transformed(step, given, graph), rows),
  TableVectorizer: (state, rows, graph) => transformed(state.parts![0]!, rows, graph),
  ColumnTransformer: columnTransformer,
  FeatureUnion: featureUnion,
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
  Normalizer: normalizer,
  Binarizer: binarizer,
  KBinsDiscretizer: kBinsDiscretizer,
  SimpleImputer: simpleImputer,
  OneHotEncoder: oneHotEncoder,
  OrdinalEncoder: ordinalEncoder,
  TargetEncoder: targetEncoder,
  PolynomialFeatures: polynomialFeatures,
  PCA: pca,
  TruncatedSVD: truncatedSvd,
  SelectKBest: selected,
  SelectPercentile: selected,
  SelectFpr: selected,
  SelectFdr: selected,
  SelectFwe: selected,
  SelectFromModel: selected,
  VarianceThreshold: selected,
  RFE: selected,
  RFECV: selected,
  SequentialFeatureSelector: selected,
};

/** The columns that a transformer makes of rows. */
export function transformed(state: ModelState, rows: Rows, graph: Graph): Rows {
  const transform = Object.hasOwn(transformers, state.kind) ? transformers[state.kind] : undefined;
  if (transform !== undefined) return transform(state, rows, graph);
  const names = rows.columns.map(({ name }) => show(name));
  const of =
    names.length === 0 ? "the pipeline" : `the column${names.length > 1 ? "s" : ""} ${names.join(", ")}`;
  return refuse(`the steps of ${of}`, "transformers of standard operators", state.kind);
}

/** Blocks of columns side by side, some of which may have none. */
function sideBySide(blocks: readonly Rows[], graph: Graph): Rows {
  const some = blocks.filter(({ cols }) => cols > 0);
  if (some.length === 0) return Rows.table([]);
  return Rows.matrix(
    joined(
      graph,
      some.map((rows) => rows.matrix(graph)),
    ),
    some.reduce((sum, { cols }) => sum + cols, 0),
  );
}

interface ColumnBlock {
  readonly part: string;
  readonly columns: readonly number[];
}

/** Parts read columns of their own; what they make is side by side. */
function columnTransformer(state: ModelState, rows: Rows, graph: Graph): Rows {
  const blocks = state.values["blocks"] as unknown as readonly ColumnBlock[];
  let fitted = 0;
  const made = blocks.flatMap(({ part, columns }): Rows[] => {
    if (part === "drop" || columns.length === 0) return [];
    const given = rows.select(graph, columns);
    if (part === "passthrough") return [given];
    return [transformed(state.parts![fitted++]!, given, graph)];
  });
  return sideBySide(made, graph);
}

interface UnionBlock {
  readonly weight: number;
  /** Without a model the columns pass through. */
  readonly fitted: boolean;
}

/** Parts read the same columns; what they make, times their weights, is side by side. */
function featureUnion(state: ModelState, rows: Rows, graph: Graph): Rows {
  const blocks = state.values["blocks"] as unknown as readonly UnionBlock[];
  let fitted = 0;
  const made = blocks.map((block) => {
    const own = block.fitted ? transformed(state.parts![fitted++]!, rows, graph) : rows;
    if (block.weight === 1 || own.cols === 0) return own;
    const factors = new Float64Array(own.cols).fill(block.weight);
    return Rows.matrix(scaled(graph, own.matrix(graph), "Mul", factors), own.cols);
  });
  return sideBySide(made, graph);
}
