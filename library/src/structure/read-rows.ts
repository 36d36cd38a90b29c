import type { MatrixLike } from "../core/contract.js";
import type { Inputs, Scores } from "../core/structure.js";
import { type Design, readMatrix } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { TableColumns } from "../data/table/table-columns.js";

/** The numbers that scores are computed from: a table's columns by name, categories as their positions. */
export function readRows(where: string, { inputs, scores }: RowReader, x: MatrixLike): Design {
  const { count: nFeatures, names: featureNamesIn, columns } = inputs;
  const given = columns ? new TableColumns(columns).read(where, x) : x;
  const like = columns ? { nFeatures } : { nFeatures, featureNamesIn };
  const isTree = scores.kind === "trees";
  return encoded(scores, readMatrix(where, given, { like, sparse: true, missing: isTree }));
}

interface RowReader {
  readonly inputs: Inputs;
  readonly scores: Scores;
}

/** Categories by their places in lists of codes, where trees have such lists; others become missing values. */
export function encoded(scores: Scores, x: Design): Design {
  const { codes } = scores as { readonly codes?: readonly (ArrayLike<number> | null)[] };
  if (!codes?.some((list) => list !== null) || !(x instanceof Matrix)) return x;
  const places = codes.map((list) => list && new Map(Array.from(list, (code, place) => [code, place])));
  const data = Float64Array.from(x.data, (value, e) => {
    const known = places[e % x.cols];
    return known ? (known.get(value) ?? Number.NaN) : value;
  });
  return new Matrix(data, x.rows, x.cols);
}
