import type { FittedKMeans } from "argmax/clustering";
import type { FittedLinearDiscriminantAnalysis } from "argmax/discriminant";
import { type DenseRows, type GaussianScores, type Structure, structureOf } from "argmax/structure";
import type { Panel } from "../../protocol.js";
import { type About, unitsOf } from "./about.js";
import { rowsOf, type Shape, shapesOf } from "./gaussian-shapes.js";
import { MOST, MOST_COLUMNS } from "./limits.js";
import { viewAs } from "./view.js";

/** A centre, a class or a component. */
interface Place {
  readonly name: string;
  /** Rows of a cluster, or the weight of a component. */
  readonly size?: number;
  readonly mean: Float64Array;
  readonly deviation?: Float64Array;
}

interface Places {
  readonly title: string;
  /** The heading of the sizes. */
  readonly size?: string;
  readonly places: readonly Place[];
}

/** Where the centres, the classes or the components are. */
export function components(model: object, about: About): Panel[] {
  const found = placesOf(model, about);
  const width = found?.places[0]?.mean.length;
  if (found === undefined || width !== about.names.length) return [];
  const { title, size, places } = found;
  const columns = Math.min(MOST_COLUMNS, width);
  const cut = [
    places.length > MOST && ` The first ${MOST} of ${places.length} are listed.`,
    width > columns && ` The first ${columns} of ${width} columns are listed.`,
  ];
  return [
    {
      kind: "table",
      title,
      note: (unitsOf(about) + cut.filter(Boolean).join("")).trim(),
      head: ["", ...(size === undefined ? [] : [size]), ...about.names.slice(0, columns)],
      rows: places
        .slice(0, MOST)
        .map((place) => [
          place.name,
          ...(place.size === undefined ? [] : [digits(place.size, 3)]),
          ...Array.from({ length: columns }, (_, j) => cell(place, j)),
        ]),
    },
  ];
}

const digits = (value: number, count: number): number => Number(value.toPrecision(count));

const cell = ({ mean, deviation }: Place, j: number): string | number =>
  deviation === undefined ? digits(mean[j]!, 4) : `${digits(mean[j]!, 4)} ± ${digits(deviation[j]!, 3)}`;

function placesOf(model: object, { classes }: About): Places | undefined {
  const structure = structureOf(model);
  if (!("scores" in structure)) return undefined;
  const { scores } = structure;
  if (scores.kind === "centers")
    return structure.kind === "clusterer" ? clusterCentres(model, scores.centers) : ofClasses(scores.centers);
  if (scores.kind === "gaussians") return gaussianPlaces(model, structure, scores);
  const means = scores.kind === "linear" && viewAs<FittedLinearDiscriminantAnalysis>(model, "means")?.means;
  return means ? ofClasses(means) : undefined;

  function ofClasses(centers: DenseRows): Places | undefined {
    if (centers.rows !== classes.length) return undefined;
    const places = rowsOf(centers).map((mean, k) => ({ name: classes[k]!, mean }));
    return { title: "Mean of every class", places };
  }
}

function clusterCentres(model: object, centers: DenseRows): Places {
  const counts = new Array<number>(centers.rows).fill(0);
  for (const label of viewAs<FittedKMeans>(model, "labels")?.labels ?? []) counts[label]!++;
  const places = rowsOf(centers).map((mean, k) => ({ name: `cluster ${k}`, size: counts[k]!, mean }));
  return { title: "Centres", size: "Rows", places };
}

/** The components of a mixture, or of one mixture per class; or one normal distribution per class. */
function gaussianPlaces(model: object, structure: Structure, { components, groups }: GaussianScores): Places {
  const shapes = shapesOf(model);
  if (structure.kind !== "classifier")
    return mixture(shapes.map((shape, k) => ({ ...placeOf(shape), name: `component ${k}` })));
  const labels = structure.classes.map(String);
  if (components.length > groups)
    return mixture(
      shapes.map((shape, k) => {
        const before = shapes.slice(0, k).filter(({ group }) => group === shape.group).length;
        return { ...placeOf(shape), name: `${labels[shape.group]} ${before + 1}` };
      }),
    );
  const places = shapes.map((shape) => {
    const { mean, deviation } = placeOf(shape);
    return { name: labels[shape.group]!, mean, deviation };
  });
  return { title: "Mean ± standard deviation", places };
}

const mixture = (places: readonly Place[]): Places => ({ title: "Components", size: "Weight", places });

const placeOf = ({ weight, mean, covariance: { data, cols } }: Shape) => ({
  size: weight,
  mean,
  deviation: Float64Array.from({ length: cols }, (_, j) => Math.sqrt(data[j * cols + j]!)),
});
