import { placeOf } from "../projection.js";
import type { Frame, GridView } from "../protocol.js";
import type { Unwrapped } from "../unwrapped.js";
import { type Parts, part, rowsOf } from "./internals/parts.js";

const CORNERS = 48;

/** A Gaussian: of a class or a component. */
interface Gaussian {
  readonly mean: Float64Array;
  readonly covariance: Square;
}

interface Square {
  readonly data: Float64Array;
  readonly cols: number;
}

/** Centres of k-means, and ellipses of two deviations of Gaussians, where the columns can be traced back. */
export function outlinesOf(
  model: Parts,
  { inverse }: Unwrapped,
  features: readonly string[],
  view: GridView,
): Frame["outlines"] {
  if (inverse === undefined) return [];
  const place = placing(features, view);
  const flat = (points: number[][]) => inverse(points).map(place);
  const centers = part(model, "clusterCenters");
  if (centers !== undefined) return rowsOf(centers).map((center) => flat([[...center]]));
  return gaussiansOf(model).map(({ mean, covariance }) => shadow([...mean], covariance, flat));
}

/** What the outlines of a model are, in a sentence; null for none. */
export function outlineNote(model: Parts, features: number): string | null {
  if (part(model, "clusterCenters") !== undefined) return "Crosses: centres.";
  if (gaussiansOf(model).length === 0) return null;
  const whose =
    part(model, "theta") !== undefined
      ? "of each class, whose columns are taken as independent"
      : part(model, "components") !== undefined
        ? "of each component of each class"
        : model.classes === undefined
          ? "of each component"
          : isShared(model)
            ? "of each class, by the one covariance that all classes share"
            : "of each class, by its own covariance";
  const where = features > 2 ? " They are the shadows of ellipsoids in this plane." : "";
  return `Ellipses: two standard deviations ${whose}.${where}`;
}

const isShared = (model: Parts): boolean =>
  typeof part(model, "covariance") === "object" || part(model, "params")?.["tiedCovariance"] === true;

/** The Gaussians that a model consists of. */
function gaussiansOf(model: Parts): Gaussian[] {
  const [theta, variance] = [part(model, "theta"), part(model, "var")];
  if (theta !== undefined && variance !== undefined) {
    const spread = rowsOf(variance);
    return rowsOf(theta).map((mean, k) => ({ mean, covariance: diagonal(spread[k]!) }));
  }
  const { components, classes } = model;
  if (typeof components === "function")
    return (classes ?? []).flatMap((label) => {
      const { means, covariances } = components.call(model, label);
      return rowsOf(means).map((mean, k) => ({ mean, covariance: covariances[k]! }));
    });
  const [means, covariance] = [part(model, "means"), part(model, "covariance")];
  if (means === undefined || covariance === undefined) return [];
  return rowsOf(means).map((mean, k) => ({
    mean,
    covariance: typeof covariance === "function" ? covariance.call(model, classes?.[k] ?? k) : covariance,
  }));
}

function diagonal(variance: Float64Array): Square {
  const cols = variance.length;
  const data = new Float64Array(cols * cols);
  for (let j = 0; j < cols; j++) data[j * cols + j] = variance[j]!;
  return { data, cols };
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
  { data, cols }: Square,
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
