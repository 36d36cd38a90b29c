import { cos, log, sin } from "../core/numbers/elementary.js";
import { normalQuantile } from "../core/numbers/normal-distribution.js";
import { namedFunctions } from "../core/params/named-functions.js";
import type { CategoryCell, EncodedColumn, MemberOutput, Transform } from "../core/structure.js";
import { Matrix } from "../data/matrix.js";
import { momentOf } from "../preprocessing/encoders/calendar.js";
import { powerFunctions } from "../preprocessing/scalers/power-functions.js";
import { CountVectorizer } from "../text/count-vectorizer.js";
import { countVectorizerParams } from "../text/vocabulary-estimator.js";
import { memberAnswer } from "./evaluate-members.js";
import type { Evaluator } from "./evaluator.js";
import { type Frame, integerPower, matrixFrame, numbersOf } from "./frame.js";
import { refuseUndescribed } from "./refuse.js";

type Step<K extends Transform["kind"]> = Extract<Transform, { kind: K }>;

/** Columns to columns, by kind. */
const transforms: {
  readonly [K in Transform["kind"]]: (step: Step<K>, frame: Frame, own: Evaluator) => Frame;
} = {
  affine: ({ shift, scale, factor, offset, clip }, frame) =>
    mapped(frame, (x, j) => {
      const z = ((x - (shift?.[j] ?? 0)) / (scale?.[j] ?? 1)) * factor + offset;
      return clip ? Math.min(clip[1], Math.max(clip[0], z)) : z;
    }),
  normalize: ({ norm }, frame) => perRow(frame, (row) => dividedByNorm(norm, row)),
  binarize: ({ threshold }, frame) => mapped(frame, (x) => (x > threshold ? 1 : 0)),
  elementwise: ({ name }, frame) => mapped(frame, (x) => namedFunctions[name].value(x)),
  power: ({ method, lambdas, centers }, frame) =>
    mapped(frame, (x, j) => powerFunctions[method].value(x, lambdas[j]!, centers[j]!)),
  quantiles: ({ quantiles, normal }, frame) => mapped(frame, (x, j) => quantileOf(x, quantiles[j]!, normal)),
  bins: ({ edges, encode }, frame) => ({
    rows: frame.rows,
    columns: edges.flatMap((cuts, j) => {
      const codes = Float64Array.from(frame.columns[j]!, (x) =>
        cuts.reduce((bin, cut) => bin + (Number(x) >= cut ? 1 : 0), 0),
      );
      if (encode === "ordinal") return [codes];
      return Array.from({ length: cuts.length + 1 }, (_, b) => codes.map((code) => (code === b ? 1 : 0)));
    }),
  }),
  encode: ({ columns }, frame) => ({
    rows: frame.rows,
    columns: columns.flatMap((own, j) => encoded(own, frame.columns[j]!)),
  }),
  impute: ({ fill, indicators }, { rows, columns }) => ({
    rows,
    columns: [
      ...fill.flatMap((value, j) =>
        value === undefined ? [] : [Array.from(columns[j]!, (cell) => (isGap(cell) ? value : cell))],
      ),
      ...indicators.map((j) => gapsOf(columns[j]!)),
    ],
  }),
  missing: ({ columns: listed }, { rows, columns }) => ({
    rows,
    columns: listed.map((j) => gapsOf(columns[j]!)),
  }),
  dates: ({ outputs }, { rows, columns }) => ({
    rows,
    columns: outputs.map(({ column, part, wave }) =>
      Float64Array.from(columns[column]!, (cell) => {
        const milliseconds = cell === null ? Number.NaN : Number(cell);
        if (Number.isNaN(milliseconds)) return milliseconds;
        const value = momentOf(milliseconds)[part];
        if (wave === null) return value;
        const angle = (2 * Math.PI * (value - wave.from)) / wave.length;
        return wave.of === "sin" ? sin(angle) : cos(angle);
      }),
    ),
  }),
  polynomial: ({ powers: { data, rows: outputs, cols } }, frame) =>
    perRow(frame, (row) =>
      Float64Array.from({ length: outputs }, (_, o) =>
        row.reduce((product, x, j) => product * integerPower(x, Number(data[o * cols + j])), 1),
      ),
    ),
  select: ({ columns: listed }, { rows, columns }) => ({
    rows,
    columns: Array.from(listed, (j) => columns[j]!),
  }),
  branches: ({ branches }, frame, evaluator) => ({
    rows: frame.rows,
    columns: branches.flatMap(({ columns, steps, weight }) => {
      const own = columns ? { rows: frame.rows, columns: columns.map((j) => frame.columns[j]!) } : frame;
      const made = steps.reduce((rows, step) => transformFrame(step, rows, evaluator), own);
      return weight === 1 ? made.columns : mapped(made, (x) => x * weight).columns;
    }),
  }),
  project: ({ scores }, frame, own) => matrixFrame(own.scores(scores, frame, [])),
  distances: ({ centers }, frame, own) => {
    const { data, rows, cols } = own.scores({ kind: "centers", centers, metric: "euclidean" }, frame, []);
    return matrixFrame({ data: data.map((score) => -score), rows, cols });
  },
  predictions: (step, frame, own) => ({
    rows: frame.rows,
    columns: [
      ...step.members.flatMap((member, m) =>
        stacked(memberAnswer(member, frame, step.outputs[m]!, step.classes, own), step.outputs[m]!),
      ),
      ...(step.passthrough ? frame.columns : []),
    ],
  }),
  text: ({ analyzer, vocabulary }, frame) => {
    const known = Object.entries(analyzer).filter(([name]) => name in countVectorizerParams);
    const params = { ...Object.fromEntries(known), vocabulary };
    const counter = CountVectorizer.restore({ kind: "CountVectorizer", params, values: {}, tensors: {} });
    return matrixFrame(
      counter.transform(Array.from(frame.columns[0]!, (text) => String(text ?? ""))).toDense(),
    );
  },
  tfidf: ({ sublinear, idf, norm }, frame) =>
    perRow(frame, (row) => {
      const weighed = row.map(
        (count, j) => (sublinear && count > 0 ? log(count) + 1 : count) * (idf?.[j] ?? 1),
      );
      return norm === null ? weighed : dividedByNorm(norm, weighed);
    }),
  undescribed: ({ reason }) => refuseUndescribed(reason),
};

export const transformFrame = (step: Transform, frame: Frame, own: Evaluator): Frame =>
  (transforms[step.kind] as (step: Transform, frame: Frame, own: Evaluator) => Frame)(step, frame, own);

const mapped = ({ rows, columns }: Frame, change: (x: number, j: number) => number): Frame => ({
  rows,
  columns: columns.map((column, j) =>
    Float64Array.from(column, (cell) => change(cell === null ? Number.NaN : Number(cell), j)),
  ),
});

function perRow(frame: Frame, change: (row: Float64Array) => Float64Array): Frame {
  const x = numbersOf(frame);
  const made = Array.from({ length: x.rows }, (_, i) => change(x.row(i)));
  const cols = made[0]?.length ?? 0;
  const out = Matrix.zeros(x.rows, cols);
  for (const [i, row] of made.entries()) out.data.set(row, i * cols);
  return matrixFrame(out);
}

function dividedByNorm(norm: "l1" | "l2" | "max", row: Float64Array): Float64Array {
  const largest = row.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  if (largest === 0) return row;
  const sizes = row.map((x) => Math.abs(x) / largest);
  if (norm === "max") return row.map((x) => x / largest);
  const length =
    norm === "l1"
      ? sizes.reduce((sum, x) => sum + x, 0)
      : Math.sqrt(sizes.reduce((sum, x) => sum + x * x, 0));
  return row.map((x) => x / largest / length);
}

/** Closer to an end than this is the end, where the normal distribution's quantiles are bounded. */
const NEAR = 1e-7;

/** The fraction of the quantiles below x, in the middle of a run of equal ones. */
function quantileOf(x: number, quantiles: Float64Array, normal: boolean): number {
  const near = normal ? NEAR : 0;
  const last = quantiles.length - 1;
  const at = (q: number) => (last === 0 ? 0 : q / last);
  let fraction = 0;
  if (x - near < quantiles[0]! || x === quantiles[0]) fraction = 0;
  else if (x + near > quantiles[last]! || x === quantiles[last]) fraction = 1;
  else {
    const first = quantiles.findIndex((q) => q >= x);
    const end = quantiles.findLastIndex((q) => q <= x);
    if (quantiles[first] === x) fraction = (at(first) + at(end)) / 2;
    else
      fraction =
        at(end) + ((x - quantiles[end]!) / (quantiles[first]! - quantiles[end]!)) * (at(first) - at(end));
  }
  if (!normal) return fraction;
  const least = normalQuantile(NEAR - 2 ** -52);
  return Math.min(Math.max(normalQuantile(fraction), least), normalQuantile(1 - (NEAR - 2 ** -52)));
}

const isGap = (cell: CategoryCell): boolean => cell === null || Number.isNaN(cell);
const gapsOf = (column: ArrayLike<CategoryCell>): Float64Array =>
  Float64Array.from(column, (cell) => (isGap(cell) ? 1 : 0));

/** Numbers and true and false are the same category whichever way they are written. */
const cellKey = (cell: CategoryCell): CategoryCell =>
  isGap(cell) ? null : typeof cell === "boolean" ? Number(cell) : cell;

function encoded(
  { categories, table, unknown, missing }: EncodedColumn,
  column: ArrayLike<CategoryCell>,
): Float64Array[] {
  const places = new Map(categories.map((category, c) => [cellKey(category), c]));
  const rows = Array.from(column, (cell) => {
    const key = cellKey(cell);
    if (key === null && missing) return missing;
    const place = places.get(key) ?? places.get(typeof key === "number" ? String(key) : key);
    if (place !== undefined) return table.data.subarray(place * table.cols, (place + 1) * table.cols);
    return unknown ?? refuseUndescribed(`the category ${String(cell)} is unknown, which is an error`);
  });
  return Array.from({ length: table.cols }, (_, t) => Float64Array.from(rows, (row) => row[t]!));
}

/** Columns of a member's output: two columns count as one, the second. */
function stacked({ data, rows, cols }: Matrix, output: MemberOutput): Float64Array[] {
  const { columns } = matrixFrame({ data, rows, cols });
  const own = columns as readonly Float64Array[];
  return cols === 2 && output !== "labels" ? [own[1]!] : [...own];
}
