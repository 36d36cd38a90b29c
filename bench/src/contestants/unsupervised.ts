import * as argmax from "argmax";
import type { Job, Measurement } from "../workload.js";
import { residentNow, timeCalls, timeFits } from "./measure.js";

type Rows = argmax.Matrix | argmax.CsrMatrix;
type Params = Readonly<Record<string, unknown>>;

const numbers = (from: number, to: number) => Int32Array.from({ length: to - from }, (_, i) => from + i);

/** Points, and the rows to search for among them. */
function parted(job: Job, X: Rows): { readonly points: Rows; readonly queries: Rows } {
  const cut = X.rows - job.queries!;
  return { points: X.selectRows(numbers(0, cut)), queries: X.selectRows(numbers(cut, X.rows)) };
}

/** An index and the neighbours of all queries; what is compared is their mean distance. */
export function search(job: Job, X: Rows): Omit<Measurement, "version"> {
  const { points, queries } = parted(job, X);
  const { result, ...times } = timeFits(
    () => new argmax.NearestNeighbors(job.params).fit(points).kneighbors(queries),
    job,
  );
  const { data } = result.distances;
  return { ...times, checksum: data.reduce((sum, d) => sum + d, 0) / data.length };
}

export function searchOne(job: Job, X: Rows): Omit<Measurement, "version"> {
  const { points, queries } = parted(job, X);
  const model = new argmax.NearestNeighbors(job.params).fit(points);
  const single = Array.from(numbers(0, Math.min(500, queries.rows)), (i) => [Array.from(queries.row(i))]);
  const times = timeCalls((i) => model.kneighbors(single[i % single.length]!), job.minSeconds);
  const checksum = single.reduce((sum, row) => sum + model.kneighbors(row).distances.data[0]!, 0);
  return { ...times, ...residentNow(), checksum };
}

/** All neighbours within a radius; what is compared is their number. */
export function within(job: Job, X: Rows): Omit<Measurement, "version"> {
  const { points, queries } = parted(job, X);
  const { result, ...times } = timeFits(
    () => new argmax.NearestNeighbors(job.params).fit(points).radiusNeighbors(queries),
    job,
  );
  return { ...times, checksum: result.indices.length };
}

interface Unsupervised {
  fit(x: Rows): unknown;
}

/** What a fit is judged by; lower is better. */
function judged(model: Record<string, unknown>, X: Rows): number {
  if (typeof model["inertia"] === "number") return model["inertia"];
  if (model["explainedVariance"] instanceof Float64Array)
    return -model["explainedVariance"].reduce((sum, v) => sum + v, 0);
  if (typeof model["scoreSamples"] === "function") return -(model as { score(x: Rows): number }).score(X);
  const { labels } = model as { labels: Int32Array };
  return new Set(labels).size + labels.filter((label) => label < 0).length / labels.length;
}

/** `start: "firstRows"`: the first rows are the initial centres, so that the iterations agree. */
function started({ start, ...params }: Params, X: Rows): Params {
  if (start !== "firstRows") return params;
  const first = (k: number) => Array.from(numbers(0, k), (i) => Array.from(X.row(i)));
  if (params["nClusters"] !== undefined)
    return { ...params, init: first(params["nClusters"] as number), nInit: 1 };
  const k = params["nComponents"] as number;
  const unit = Array.from({ length: X.cols }, (_, a) =>
    Array.from({ length: X.cols }, (__, b) => (a === b ? 1 : 0)),
  );
  const one = params["covarianceType"] === "diag" ? new Array<number>(X.cols).fill(1) : unit;
  const weightsInit = new Array<number>(k).fill(1 / k);
  return {
    ...params,
    meansInit: first(k),
    weightsInit,
    precisionsInit: Array.from({ length: k }, () => one),
  };
}

export function unsupervised(job: Job, X: Rows): Omit<Measurement, "version"> {
  const Class = (argmax as unknown as Record<string, new (params: object) => Unsupervised>)[job.call]!;
  const params = started(job.params, X);
  const { result, ...times } = timeFits(() => new Class(params).fit(X), job);
  return { ...times, checksum: judged(result as Record<string, unknown>, X) };
}
