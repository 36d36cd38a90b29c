import { type DenseRows, type Structure, structureOf } from "argmax/structure";
import { placeOf } from "../../projection.js";
import type { Frame, GridView } from "../../protocol.js";
import type { Unwrapped } from "../../unwrapped.js";
import { isDiagonal, rowsOf, shapesOf } from "../internals/gaussian-shapes.js";
import { scoresOfKind } from "../internals/scores.js";

const CORNERS = 48;

/** Centres of k-means, and ellipses of two deviations of Gaussians, where the columns can be traced back. */
export function outlinesOf(
  model: object,
  { inverse }: Unwrapped,
  features: readonly string[],
  view: GridView,
): Frame["outlines"] {
  if (inverse === undefined) return [];
  const place = placing(features, view);
  const flat = (points: number[][]) => inverse(points).map(place);
  const centers = centersOf(structureOf(model));
  if (centers !== undefined) return rowsOf(centers).map((center) => flat([[...center]]));
  return shapesOf(model).map(({ mean, covariance }) => shadow([...mean], covariance, flat));
}

/** What the outlines of a model are, in a sentence; null for none. */
export function outlineNote(model: object, features: number): string | null {
  const structure = structureOf(model);
  if (centersOf(structure) !== undefined) return "Crosses: centres.";
  if (shapesOf(model).length === 0) return null;
  const where = features > 2 ? " They are the shadows of ellipsoids in this plane." : "";
  return `Ellipses: two standard deviations ${whose(structure)}.${where}`;
}

/** Whose deviations they are. Classes of linear scores share their covariance. */
function whose(structure: Structure): string {
  const scores = scoresOfKind(structure, "gaussians");
  if (structure.kind === "density") return "of each component";
  if (scores === undefined) return "of each class, by the one covariance that all classes share";
  const { components, groups } = scores;
  if (components.length > groups) return "of each component of each class";
  if (components.every(isDiagonal)) return "of each class, whose columns are taken as independent";
  const [first] = components;
  const isShared = components.every(({ whitening }) => whitening === first!.whitening);
  return `of each class, by ${isShared ? "the one covariance that all classes share" : "its own covariance"}`;
}

/** The centres of clusters. */
const centersOf = (structure: Structure): DenseRows | undefined =>
  structure.kind === "clusterer" ? scoresOfKind(structure, "centers")?.centers : undefined;

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
  { data, cols }: DenseRows,
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
