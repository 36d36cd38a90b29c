import type { DatabaseFitOptions } from "../../src/index.js";
import type { Columns } from "./databases.js";

/** What a case is fitted to. */
export interface Sample {
  readonly name: string;
  readonly columns: Columns;
  readonly features: readonly string[];
  readonly target?: string;
  readonly sampleWeight?: string;
}

/** An estimator that learns in a database. */
export interface FitCase {
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: estimators of all classes
  make(): any;
  readonly samples: readonly Sample[];
  /** How it is fitted in the database. */
  readonly options?: Pick<DatabaseFitOptions, "scratch">;
  /** How far numbers may be apart, relative to the largest of the same list, and why. */
  readonly within: number;
  readonly because: string;
  /** Paths of the state that differ by design: "values.report.iterations". */
  readonly except?: readonly string[];
}

/** The usual reason of a tolerance. */
export const ROUNDING = "sums in another order differ in their last digits";

/** A linear congruential generator: the same rows on every machine. */
function random(seed: number) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** About normal: the sum of six uniform numbers. */
const normal = (draw: () => number) => (draw() + draw() + draw() + draw() + draw() + draw() - 3) * Math.SQRT2;

export interface SampleOptions {
  readonly rows?: number;
  readonly classes?: number;
  /** Added to every column of X: moments of raw numbers would lose all digits. */
  readonly offset?: number;
  readonly weighted?: boolean;
  readonly task?: "classification" | "regression" | "none";
  readonly seed?: number;
}

/** The same columns for the same options, so that databases have one table of them. */
function remembered<O extends object>(make: (options: O) => Columns): (options: O) => Columns {
  const known = new Map<string, Columns>();
  return (options) => {
    const key = JSON.stringify(Object.entries(options).sort());
    const columns = known.get(key) ?? make(options);
    known.set(key, columns);
    return columns;
  };
}

const letters = ["ash", "birch", "cedar", "elm", "fir"];

const numbersColumns = remembered(
  ({ rows = 90, classes = 3, offset = 0, task = "classification", seed = 7 }: SampleOptions) => {
    const draw = random(seed);
    const k = Array.from({ length: rows }, (_, i) => (i * 7 + Math.floor(draw() * 2)) % classes);
    const x = [0, 1, 2].map((j) => k.map((c) => offset + c * (j - 1) * 0.9 + (j + 1) * normal(draw)));
    const y = k.map((_, i) => 2 * (x[0]![i]! - offset) - 0.5 * (x[1]![i]! - offset) + normal(draw));
    const columns: Record<string, readonly (number | string)[]> = { "x one": x[0]!, 'x"2': x[1]!, x3: x[2]! };
    if (task === "classification") columns["y"] = k.map((c) => letters[c]!);
    if (task === "regression") columns["y"] = y;
    columns["w"] = k.map((_, i) => (i % 11 === 0 ? 0 : 0.25 + draw() * 3));
    return columns;
  },
);

/** Three columns of numbers about class centres, a target, and weights of which some are 0. */
export const numbersSample = (
  name: string,
  { weighted = false, ...options }: SampleOptions = {},
): Sample => ({
  name,
  columns: numbersColumns(options),
  features: ["x one", 'x"2', "x3"],
  ...(options.task !== "none" && { target: "y" }),
  ...(weighted && { sampleWeight: "w" }),
});

/** What every learner of classes is tried on. */
export const classSamples = (): readonly Sample[] => [
  numbersSample("two classes", { classes: 2 }),
  numbersSample("three classes and weights", { weighted: true }),
  numbersSample("an offset of 1e8", { offset: 1e8 }),
];

/** What every learner of numbers is tried on. */
export const numberSamples = (): readonly Sample[] => [
  numbersSample("numbers", { task: "regression" }),
  numbersSample("weights and an offset of 1e8", { task: "regression", weighted: true, offset: 1e8 }),
];

/** What every learner of X alone is tried on. */
export const rowSamples = (): readonly Sample[] => [
  numbersSample("numbers", { task: "none" }),
  numbersSample("weights and an offset of 1e8", { task: "none", weighted: true, offset: 1e8 }),
];

/** Columns of numbers with gaps, of booleans with gaps, and one without any number. */
export function gapsSample(name: string, { rows = 80, offset = 0, seed = 23 }: SampleOptions = {}): Sample {
  const draw = random(seed);
  const of = <T>(make: () => T | null) => Array.from({ length: rows }, make);
  const columns = {
    a: of(() => (draw() < 0.2 ? null : offset + 5 * normal(draw))),
    b: of(() => offset + Math.floor(9 * draw())),
    flag: of(() => (draw() < 0.3 ? null : draw() < 0.4)),
    none: of(() => Number.NaN),
  };
  return { name, columns, features: ["a", "b", "flag", "none"] };
}

/** Milliseconds since 1970, some of them before it: of years, and of one day. */
export function datesSample(name: string, { rows = 70, seed = 29 }: SampleOptions = {}): Sample {
  const draw = random(seed);
  const of = (from: number, span: number) =>
    Array.from({ length: rows }, () => (draw() < 0.1 ? null : Math.floor(from + span * draw())));
  const columns = { years: of(-1e12, 3e12), day: of(Date.UTC(2024, 1, 29), 86_400_000) };
  return { name, columns, features: ["years", "day"] };
}

const tailsColumns = remembered(({ rows = 4200, seed = 17 }: SampleOptions) => {
  const draw = random(seed);
  const of = (make: (i: number) => number) => Array.from({ length: rows }, (_, i) => make(i));
  return {
    tails: of(() => Math.exp(100 * normal(draw)) * (draw() < 0.5 ? -1 : 1)),
    few: of(() => Math.floor(draw() * 3) - 1),
    same: of(() => 0.1),
    far: of((i) => (i % 2 === 0 ? 1e15 : 0) + draw()),
    w: of((i) => (i % 7 === 0 ? 0 : Math.ceil(4 * draw()))),
  };
});

/** Columns whose order statistics are hard to find: more rows than numbers are asked for at once (FEW of quantiles.ts). */
export const tailsSample = (name: string, { weighted = false, ...options }: SampleOptions = {}): Sample => ({
  name,
  columns: tailsColumns(options),
  features: ["tails", "few", "same", "far"],
  ...(weighted && { sampleWeight: "w" }),
});

interface CountsOptions extends SampleOptions {
  readonly most?: number;
  readonly labels?: "text" | "number" | "boolean";
}

const countsColumns = remembered(
  ({ rows = 90, classes = 3, seed = 3, most = 6, labels = "text" }: CountsOptions) => {
    const draw = random(seed);
    const k = Array.from({ length: rows }, (_, i) => (i * 5 + Math.floor(draw() * 2)) % classes);
    const column = (j: number) => k.map((c) => Math.round(draw() * draw() ** ((c + j) % 3) * most));
    const label = (c: number) =>
      labels === "text" ? letters[c]! : labels === "number" ? 10 * c - 5 : c === 1;
    return {
      a: column(0),
      b: column(1),
      c: column(2),
      y: k.map(label),
      w: k.map((_, i) => (i % 11 === 0 ? 0 : 0.25 + draw() * 3)),
    };
  },
);

/** Three columns of whole numbers ≥ 0 that differ between classes. */
export const countsSample = (name: string, { weighted = false, ...options }: CountsOptions = {}): Sample => ({
  name,
  columns: countsColumns(options),
  features: ["a", "b", "c"],
  target: "y",
  ...(weighted && { sampleWeight: "w" }),
});

const mixedColumns = remembered(
  ({ rows = 90, classes = 2, task = "classification", seed = 11 }: SampleOptions) => {
    const draw = random(seed);
    const town = Array.from({ length: rows }, () =>
      draw() < 0.1 ? null : letters[Math.floor(draw() * draw() * 5)]!,
    );
    const size = Array.from({ length: rows }, () => (draw() < 0.15 ? null : 20 + Math.floor(draw() * 60)));
    const open = Array.from({ length: rows }, () => draw() < 0.4);
    const price = Array.from({ length: rows }, () => Math.round(draw() * 1e4) / 100);
    const score = town.map(
      (t, i) => letters.indexOf(t ?? "ash") - (size[i] ?? 40) / 20 + (open[i] ? 1 : 0) + normal(draw),
    );
    const columns: Record<string, readonly (number | string | boolean | null)[]> = {
      town,
      size,
      open,
      price,
    };
    if (task === "classification") columns["y"] = score.map((s) => Math.abs(Math.floor(s)) % classes);
    if (task === "regression") columns["y"] = score;
    columns["w"] = score.map((_, i) => (i % 13 === 0 ? 0 : 0.5 + draw()));
    return columns;
  },
);

/** A table of categories, gaps, booleans and whole numbers, with labels or numbers to predict. */
export const mixedSample = (name: string, { weighted = false, ...options }: SampleOptions = {}): Sample => ({
  name,
  columns: mixedColumns(options),
  features: ["town", "size", "open", "price"],
  ...(options.task !== "none" && { target: "y" }),
  ...(weighted && { sampleWeight: "w" }),
});
