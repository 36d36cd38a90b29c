import type { Model } from "../estimators.js";
import { placeOf } from "../projection.js";
import type { Frame, GridView } from "../protocol.js";
import type { Unwrapped } from "../unwrapped.js";
import type { Numbers } from "./internals/parts.js";

const CORNERS = 48;

function diagonal(variance: Float64Array): { readonly data: Float64Array; readonly cols: number } {
  const cols = variance.length;
  const data = new Float64Array(cols * cols);
  for (let j = 0; j < cols; j++) data[j * cols + j] = variance[j]!;
  return { data, cols };
}

/** Centres of k-means, and ellipses of two deviations of mixtures and of naive Bayes, where the columns can be traced back. */
export function outlinesOf(
  model: Model,
  { inverse }: Unwrapped,
  features: readonly string[],
  view: GridView,
): Frame["outlines"] {
  if (inverse === undefined) return [];
  const place = placing(features, view);
  const flat = (points: number[][]) => inverse(points).map(place);
  const {
    clusterCenters,
    means,
    covariance,
    theta,
    var: variance,
  } = model as {
    clusterCenters?: Numbers;
    means?: Numbers;
    theta?: Numbers;
    var?: Numbers;
    covariance?: (component: string | number) => { data: Float64Array; cols: number };
  };
  const rowsOf = ({ data, rows, cols }: Numbers) =>
    Array.from({ length: rows }, (_, i) => [...data.subarray(i * cols, (i + 1) * cols)]);
  if (clusterCenters !== undefined) return rowsOf(clusterCenters).map((center) => flat([center]));
  if (theta !== undefined && variance !== undefined)
    return rowsOf(theta).map((center, k) =>
      shadow(center, diagonal(variance.data.subarray(k * theta.cols, (k + 1) * theta.cols)), flat),
    );
  if (means === undefined || typeof covariance !== "function") return [];
  return rowsOf(means).flatMap((center, k) => {
    let spread: { data: Float64Array; cols: number };
    try {
      spread = covariance.call(model, model.classes?.[k] ?? k);
    } catch {
      // Discriminants keep their covariances only where that is asked for.
      return [];
    }
    return [shadow(center, spread, flat)];
  });
}

/** Where a row is drawn in the plane of a view. */
function placing(
  features: readonly string[],
  { axes, projection }: GridView,
): (row: ArrayLike<number>) => readonly [number, number] {
  if (projection === undefined) {
    const [a, b] = axes.map((name) => features.indexOf(name)) as [number, number];
    return (row) => [row[a]!, row[b]!];
  }
  const columns = projection.columns.map((name) => features.indexOf(name));
  return (row) => {
    const { x, y } = placeOf(
      projection,
      columns.map((j) => row[j]!),
    );
    return [x, y];
  };
}

/** The ellipse of two deviations around a centre, seen in the plane: of the covariance A Σ Aᵀ, where A is what `flat` does to differences. */
function shadow(
  center: number[],
  { data, cols }: { readonly data: Float64Array; readonly cols: number },
  flat: (points: number[][]) => (readonly [number, number])[],
): readonly (readonly [number, number])[] {
  const moved = Array.from({ length: cols }, (_, j) => center.with(j, center[j]! + 1));
  const [[x, y], ...ends] = flat([center, ...moved]) as [readonly [number, number], ...[number, number][]];
  let [xx, xy, yy] = [0, 0, 0];
  for (let i = 0; i < cols; i++)
    for (let j = 0; j < cols; j++) {
      const s = data[i * cols + j]!;
      xx += (ends[i]![0] - x) * s * (ends[j]![0] - x);
      xy += (ends[i]![0] - x) * s * (ends[j]![1] - y);
      yy += (ends[i]![1] - y) * s * (ends[j]![1] - y);
    }
  // The Cholesky factor turns a circle into the ellipse.
  const l = Math.sqrt(xx);
  const m = xy / (l || 1);
  const n = Math.sqrt(Math.max(0, yy - m * m));
  return Array.from({ length: CORNERS + 1 }, (_, e) => {
    const angle = (2 * Math.PI * e) / CORNERS;
    const [c, s] = [2 * Math.cos(angle), 2 * Math.sin(angle)];
    return [x + l * c, y + m * c + n * s] as const;
  });
}
