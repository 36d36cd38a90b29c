import { ParameterError, show } from "../../core/errors.js";
import { Random } from "../../core/numbers/random.js";
import {
  either,
  flag,
  integer,
  invalid,
  numbers,
  type ParamSpec,
  type Params,
  type ParamValues,
  randomState,
  readParams,
  real,
} from "../../core/params/params.js";
import { Matrix } from "../matrix.js";
import { type ClassSample, finish, spread } from "./sample.js";

/** Rows of finite numbers, all of one length. */
const points: Omit<ParamSpec<readonly (readonly number[])[]>, "default" | "doc"> = {
  kind: "numbers",
  expected: "an array with the coordinates of each center",
  read(value) {
    if (!Array.isArray(value) || value.length === 0) return invalid;
    const rows = value.map((row: unknown) => (Array.isArray(row) ? [...row] : []));
    const width = rows[0]!.length;
    const fine =
      width > 0 && rows.every((row) => row.length === width && row.every((v) => Number.isFinite(v)));
    return fine ? Object.freeze(rows) : invalid;
  },
};

export const makeBlobsParams = {
  nSamples: either(
    integer({ atLeast: 1, default: 100, doc: "Points in all, or a list with the points of each blob." }),
    numbers({ atLeast: 0, default: [], doc: "" }),
  ),
  nFeatures: integer({ atLeast: 1, default: 2, doc: "Coordinates of a point, when the centers are drawn." }),
  centers: either(
    integer({ atLeast: 1, default: 3, doc: "How many centers to draw, or the centers themselves." }),
    points,
  ),
  clusterStd: either(
    real({ atLeast: 0, default: 1, doc: "Standard deviation of the blobs, or a list with that of each." }),
    numbers({ atLeast: 0, default: [], doc: "" }),
  ),
  centerBox: numbers({
    length: 2,
    default: [-10, 10],
    doc: "Range from which center coordinates are drawn.",
  }),
  shuffle: flag({ default: true, doc: "Put the points in random order." }),
  randomState: randomState(),
};

/** Gaussian blobs, one per class. Parity: scikit-learn's make_blobs, with other random numbers. */
export function makeBlobs(
  params: Params<typeof makeBlobsParams> = {},
): ClassSample & { readonly centers: Matrix } {
  const where = "makeBlobs";
  const given = readParams(where, makeBlobsParams, params);
  const random = new Random(given.randomState);
  const centers = readCenters(where, given, random);
  const { nSamples, clusterStd } = given;
  const sizes = typeof nSamples === "number" ? spread(nSamples, centers.length) : nSamples;
  const deviations = typeof clusterStd === "number" ? centers.map(() => clusterStd) : clusterStd;
  requireOnePerCenter(where, "nSamples", sizes, centers.length);
  requireWhole(where, sizes);
  requireOnePerCenter(where, "clusterStd", deviations, centers.length);
  const rows: number[][] = [];
  const labels: number[] = [];
  for (const [k, center] of centers.entries()) {
    for (let i = 0; i < sizes[k]!; i++) {
      rows.push(center.map((c) => c + deviations[k]! * random.normal()));
      labels.push(k);
    }
  }
  const sample = finish(random, rows, labels, { shuffle: given.shuffle, noise: 0 });
  return { ...sample, centers: Matrix.fromRows(centers) };
}

function readCenters(
  where: string,
  given: ParamValues<typeof makeBlobsParams>,
  random: Random,
): readonly (readonly number[])[] {
  const [low, high] = given.centerBox as [number, number];
  if (!(low <= high)) {
    throw new ParameterError(where, "centerBox", "[low, high] with low ≤ high", `[${low}, ${high}]`);
  }
  const { centers, nSamples } = given;
  if (typeof centers !== "number") return centers;
  // A list of sizes fixes the number of blobs, as in scikit-learn.
  const count = typeof nSamples === "number" ? centers : nSamples.length;
  const draw = () => Array.from({ length: given.nFeatures }, () => low + (high - low) * random.uniform());
  return Array.from({ length: count }, draw);
}

function requireWhole(where: string, sizes: readonly number[]): void {
  const wrong = sizes.find((size) => !Number.isSafeInteger(size));
  if (wrong === undefined) return;
  throw new ParameterError(where, "every entry of nSamples", "a whole number", show(wrong));
}

function requireOnePerCenter(where: string, subject: string, list: readonly number[], count: number): void {
  if (list.length === count) return;
  const expected = `a number, or a list with one entry for each of the ${count} centers`;
  throw new ParameterError(where, subject, expected, `${show(list)}`);
}
