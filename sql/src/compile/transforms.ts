import type { CategoryCell, EncodedColumn, Transform } from "argmax";
import {
  add,
  both,
  call,
  choose,
  clipped,
  compare,
  divide,
  type Expression,
  isNull,
  largestOf,
  multiply,
  not,
  number,
  shared,
  subtract,
  sum,
  when,
} from "../expressions/expression.js";
import { type Cells, numbers } from "./cells.js";
import type { Compiler } from "./compiler.js";
import { dateOutput, dateParts } from "./dates.js";
import { distances } from "./distances.js";
import { exponentialLessOne, integerPower, logarithm, logOnePlus, namedExpressions } from "./functions.js";
import { refuse } from "./refuse.js";

type Step<K extends Transform["kind"]> = Extract<Transform, { kind: K }>;
type Columns = readonly Cells[];

/** Columns to columns, by kind; `evaluate-transform.ts` of the library says the same in numbers. */
const transforms: {
  readonly [K in Transform["kind"]]: (step: Step<K>, columns: Columns, own: Compiler) => Columns;
} = {
  affine: ({ shift, scale, factor, offset, clip }, columns) =>
    mapped(columns, (x, j) => {
      const centred = subtract(x, number(shift?.[j] ?? 0));
      const scaled = multiply(divide(centred, number(scale?.[j] ?? 1)), number(factor));
      const z = add(scaled, number(offset));
      return clip ? clipped(z, clip[0], clip[1]) : z;
    }),
  normalize: ({ norm }, columns) =>
    dividedByNorm(
      norm,
      columns.map((column) => column.number),
    ).map(numbers),
  binarize: ({ threshold }, columns) => mapped(columns, (x) => isAbove(x, threshold)),
  elementwise: ({ name }, columns) => mapped(columns, (x) => namedExpressions[name](shared(x))),
  power: ({ method, lambdas, centers }, columns) =>
    mapped(columns, (x, j) =>
      method === "boxCox"
        ? power(subtract(logarithm(x), number(centers[j]!)), lambdas[j]!)
        : yeoJohnson(shared(x), lambdas[j]!, centers[j]!),
    ),
  quantiles: ({ quantiles, normal }, columns) => {
    if (normal) return refuse("quantiles of the normal distribution");
    return mapped(columns, (x, j) => fractionBelow(shared(x), quantiles[j]!));
  },
  bins: ({ edges, encode }, columns) =>
    edges.flatMap((cuts, j) => {
      const x = columns[j]!.number;
      const code = shared(binOf(shared(x), cuts));
      if (encode === "ordinal") return [numbers(code)];
      return Array.from({ length: cuts.length + 1 }, (_, b) => numbers(isEqual(code, b)));
    }),
  encode: ({ columns: encoded }, columns) =>
    encoded.flatMap((own, j) => encodedColumns(own, columns[j]!).map(numbers)),
  impute: ({ fill, indicators }, columns) => [
    ...fill.flatMap((cell, j) => {
      if (cell === undefined) return [];
      return [cell === null ? columns[j]! : columns[j]!.filled(cell)];
    }),
    ...indicators.map((j) => gapOf(columns[j]!)),
  ],
  missing: ({ columns: listed }, columns) => listed.map((j) => gapOf(columns[j]!)),
  dates: ({ outputs }, columns) => {
    const parts = columns.map(({ number: time }) => dateParts(time));
    return outputs.map((output) => numbers(shared(dateOutput(parts[output.column]!, output))));
  },
  polynomial: ({ powers: { data, rows, cols } }, columns) => {
    const x = columns.map((column) => shared(column.number));
    return Array.from({ length: rows }, (_, o) => {
      const factors = x.flatMap((e, j) =>
        Number(data[o * cols + j]) > 0 ? [integerPower(e, Number(data[o * cols + j]))] : [],
      );
      return numbers(factors.reduce(multiply, number(1)));
    });
  },
  select: ({ columns: listed }, columns) => Array.from(listed, (j) => columns[j]!),
  branches: ({ branches }, given, own) =>
    branches.flatMap(({ columns, steps, weight }) => {
      const read = columns ? columns.map((j) => given[j]!) : given;
      const made = own.transformed(steps, read);
      return weight === 1 ? made : mapped(made, (x) => multiply(x, number(weight)));
    }),
  project: ({ scores }, columns, own) => own.scores(scores, columns, []).map((e) => numbers(shared(e))),
  distances: ({ centers }, columns) =>
    distances(
      centers,
      "euclidean",
      columns.map((column) => shared(column.number)),
    ).map(numbers),
  predictions: ({ members, outputs, passthrough, classes }, columns, own) => [
    ...members.flatMap((member, m) => {
      const made = own.member(member, columns, outputs[m]!, classes);
      return made.length === 2 && outputs[m] !== "labels" ? [numbers(made[1]!)] : made.map(numbers);
    }),
    ...(passthrough ? columns : []),
  ],
  text: () => refuse("a count of words in text"),
  tfidf: () => refuse("a count of words in text"),
  undescribed: ({ reason }) => refuse(reason),
};

export const transform = (step: Transform, columns: Columns, own: Compiler): Columns =>
  (transforms[step.kind] as (step: Transform, columns: Columns, own: Compiler) => Columns)(
    step,
    columns,
    own,
  );

const mapped = (columns: Columns, change: (x: Expression, j: number) => Expression): Columns =>
  columns.map((column, j) => numbers(shared(change(column.number, j))));

/** NULL where x is. */
const isAbove = (x: Expression, threshold: number): Expression =>
  choose([
    { test: compare(x, ">", number(threshold)), value: number(1) },
    { test: compare(x, "<=", number(threshold)), value: number(0) },
  ]);

const gapOf = (column: Cells): Cells => numbers(when(column.isGap(), number(1), number(0)));

function dividedByNorm(norm: "l1" | "l2" | "max", given: readonly Expression[]): readonly Expression[] {
  const x = given.map(shared);
  const sizes = x.map((e) => shared(call("abs", e)));
  const all = sizes.map((size) => not(isNull(size)));
  const largest = shared(choose([{ test: both(...all), value: largestOf(sizes) }]));
  const parts = sizes.map((size) => shared(divide(size, largest)));
  const length =
    norm === "max"
      ? number(1)
      : norm === "l1"
        ? sum(parts)
        : call("sqrt", sum(parts.map((part) => multiply(part, part))));
  const whole = shared(multiply(largest, shared(length)));
  return x.map((e) => when(compare(largest, "=", number(0)), e, divide(e, whole)));
}

/** (tᵖ − 1) / p of t = e^s, and its limit s at p = 0. */
const power = (s: Expression, p: number): Expression =>
  p === 0 ? s : divide(exponentialLessOne(multiply(number(p), s)), number(p));

/** Powers of 1 + x and of 1 − x, in the units of the centre. */
function yeoJohnson(x: Expression, lambda: number, center: number): Expression {
  const sideOf = (side: 1 | -1, about: number) => {
    const s = subtract(logOnePlus(multiply(number(side), x)), number(about));
    return multiply(number(side), power(s, side > 0 ? lambda : 2 - lambda));
  };
  const sign = Math.sign(center);
  const size = Math.abs(center);
  const p = sign > 0 ? lambda : 2 - lambda;
  const beyond = (side: 1 | -1) => {
    if (center === 0) return sideOf(side, 0);
    if (side === sign) return sideOf(side, size);
    const edge = p === 0 ? size : Math.expm1(p * size) / p;
    return multiply(subtract(sideOf(side, 0), number(sign * edge)), number(Math.exp(-p * size)));
  };
  const positive = compare(x, sign < 0 ? ">" : ">=", number(0));
  return choose([
    { test: positive, value: beyond(1) },
    { test: not(isNull(x)), value: beyond(-1) },
  ]);
}

/** Place among equally spaced quantiles, in the middle of a run of equal ones. */
function fractionBelow(x: Expression, quantiles: Float64Array): Expression {
  const last = quantiles.length - 1;
  const at = (q: number) => (last === 0 ? 0 : q / last);
  const cuts = [...new Set(quantiles)].map((value) => ({
    value,
    first: quantiles.indexOf(value),
    end: quantiles.lastIndexOf(value),
  }));
  const branches = cuts.flatMap(({ value, first, end }, c) => {
    const isEnd = first === 0 || end === last;
    const own = isEnd ? (first === 0 ? 0 : 1) : (at(first) + at(end)) / 2;
    const here = { test: compare(x, "=", number(value)), value: number(own) };
    const before = cuts[c - 1];
    if (before === undefined) return [{ test: compare(x, "<", number(value)), value: number(0) }, here];
    const slope = divide(subtract(x, number(before.value)), number(value - before.value));
    const between = add(number(at(before.end)), multiply(slope, number(at(first) - at(before.end))));
    return [{ test: compare(x, "<", number(value)), value: between }, here];
  });
  return choose([...branches, { test: not(isNull(x)), value: number(1) }]);
}

/** How many cuts are at most x. */
const binOf = (x: Expression, cuts: Float64Array): Expression =>
  choose([
    ...[...cuts.keys()]
      .reverse()
      .map((c) => ({ test: compare(x, ">=", number(cuts[c]!)), value: number(c + 1) })),
    { test: not(isNull(x)), value: number(0) },
  ]);

/** 1 where x is the number, 0 where it is another, NULL where x is. */
const isEqual = (x: Expression, value: number): Expression =>
  choose([
    { test: compare(x, "=", number(value)), value: number(1) },
    { test: not(isNull(x)), value: number(0) },
  ]);

function encodedColumns({ categories, table, unknown, missing }: EncodedColumn, column: Cells): Expression[] {
  const isKnown = (cell: CategoryCell): cell is string | number | boolean =>
    cell !== null && !Number.isNaN(cell);
  const gap = categories.findIndex((cell) => !isKnown(cell));
  return Array.from({ length: table.cols }, (_, t) => {
    const rowOf = (place: number) => number(table.data[place * table.cols + t]!);
    // Categories with the same number are one condition.
    const groups = new Map<number, (string | number | boolean)[]>();
    for (const [place, cell] of categories.entries()) {
      if (!isKnown(cell)) continue;
      const value = table.data[place * table.cols + t]!;
      groups.set(value, [...(groups.get(value) ?? []), cell]);
    }
    const other = unknown ? number(unknown[t]!) : undefined;
    const ofGap = missing ? number(missing[t]!) : gap >= 0 ? rowOf(gap) : undefined;
    const branches = [...groups].map(([value, cells]) => ({
      test: column.isOneOf(cells),
      value: number(value),
    }));
    const gaps = ofGap === undefined ? [] : [{ test: column.isGap(), value: ofGap }];
    return choose([...gaps, ...branches], other);
  });
}
