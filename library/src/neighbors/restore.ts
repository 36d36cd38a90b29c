import { restoreParams } from "../core/estimator.js";
import type { ParamsTable, ParamValues } from "../core/params/params.js";
import type { StateReader } from "../core/state.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { readFeatureNames } from "../data/feature-names-in.js";
import {
  acceptsSparse,
  readPoints,
  requireMeasurable,
  requireSearchable,
  type SearchParams,
  TrainingPoints,
} from "./training-points.js";

/** Parameters and training rows of a saved model of neighbours. */
export function readTraining<T extends ParamsTable>(
  table: T,
  reader: StateReader,
): { readonly params: ParamValues<T>; readonly points: TrainingPoints; readonly rows: number } {
  const params = restoreParams(table, reader);
  const rows = reader.count("nSamples");
  const cols = reader.count("nFeatures");
  if (rows === 0 || cols === 0) reader.fail("nSamples and nFeatures", "at least 1", `${rows} and ${cols}`);
  const nNeighbors: unknown = params["nNeighbors"];
  if (typeof nNeighbors === "number" && nNeighbors > rows)
    reader.fail("nNeighbors", `at most the number of rows (${rows})`, `${nNeighbors}`);
  const x = readPoints(reader, rows, cols);
  const search = params as unknown as SearchParams;
  if (x instanceof CsrMatrix && !acceptsSparse(search))
    reader.fail("metric", "one for sparse rows", String(search.metric));
  requireSearchable(reader.where, search);
  requireMeasurable(reader.where, x, search);
  return { params, points: new TrainingPoints(x, search, readFeatureNames(reader, cols)), rows };
}
