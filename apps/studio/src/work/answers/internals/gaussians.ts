import type { Panel } from "../../protocol.js";
import { type About, unitsOf } from "./about.js";
import { MOST, MOST_COLUMNS } from "./limits.js";
import { type Numbers, type Parts, part, rowsOf } from "./parts.js";

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
export function components(model: Parts, about: About): Panel[] {
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

function placesOf(model: Parts, { classes }: About): Places | undefined {
  const centers = part(model, "clusterCenters");
  if (centers !== undefined) {
    const counts = new Array<number>(centers.rows).fill(0);
    for (const label of Array.from(model.labels ?? [])) counts[label]!++;
    const places = rowsOf(centers).map((mean, k) => ({ name: `cluster ${k}`, size: counts[k]!, mean }));
    return { title: "Centres", size: "Rows", places };
  }
  const mixtures = mixturesOf(model);
  if (mixtures !== undefined) return { title: "Components", size: "Weight", places: mixtures };
  const [theta, variance] = [part(model, "theta"), part(model, "var")];
  const spread = theta === undefined || variance === undefined ? undefined : rowsOf(variance);
  const table = theta ?? part(model, "centroids") ?? part(model, "means");
  if (table === undefined || table.rows !== classes.length) return undefined;
  const places = rowsOf(table).map((mean, k) => ({
    name: classes[k]!,
    mean,
    ...(spread !== undefined && { deviation: spread[k]!.map(Math.sqrt) }),
  }));
  return { title: spread === undefined ? "Mean of every class" : "Mean ± standard deviation", places };
}

/** The components of a mixture, or of one mixture per class. */
function mixturesOf(model: Parts): Place[] | undefined {
  const { components: ofClass, classes, weights, means, covariance } = model;
  if (typeof ofClass === "function" && classes !== undefined)
    return classes.flatMap((label) => {
      const mixture = ofClass.call(model, label);
      return rowsOf(mixture.means).map((mean, k) => ({
        name: mixture.weights.length === 1 ? String(label) : `${label} ${k + 1}`,
        size: mixture.weights[k]!,
        mean,
        deviation: deviations(mixture.covariances[k]!),
      }));
    });
  if (classes !== undefined || !(weights instanceof Float64Array)) return undefined;
  if (means === undefined || typeof covariance !== "function") return undefined;
  return rowsOf(means).map((mean, k) => ({
    name: `component ${k}`,
    size: weights[k]!,
    mean,
    deviation: deviations(covariance.call(model, k)),
  }));
}

const deviations = ({ data, cols }: Numbers): Float64Array =>
  Float64Array.from({ length: cols }, (_, j) => Math.sqrt(data[j * cols + j]!));
