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

const letters = ["ash", "birch", "cedar", "elm", "fir"];

/** Three columns of numbers about class centres, a target, and weights of which some are 0. */
export function numbersSample(name: string, options: SampleOptions = {}): Sample {
  const { rows = 90, classes = 3, offset = 0, weighted = false, task = "classification", seed = 7 } = options;
  const draw = random(seed);
  const k = Array.from({ length: rows }, (_, i) => (i * 7 + Math.floor(draw() * 2)) % classes);
  const x = [0, 1, 2].map((j) => k.map((c) => offset + c * (j - 1) * 0.9 + (j + 1) * normal(draw)));
  const y = k.map((_, i) => 2 * (x[0]![i]! - offset) - 0.5 * (x[1]![i]! - offset) + normal(draw));
  const columns: Record<string, readonly (number | string)[]> = { "x one": x[0]!, 'x"2': x[1]!, x3: x[2]! };
  if (task === "classification") columns["y"] = k.map((c) => letters[c]!);
  if (task === "regression") columns["y"] = y;
  columns["w"] = k.map((_, i) => (i % 11 === 0 ? 0 : 0.25 + draw() * 3));
  return {
    name,
    columns,
    features: ["x one", 'x"2', "x3"],
    ...(task !== "none" && { target: "y" }),
    ...(weighted && { sampleWeight: "w" }),
  };
}

/** What every learner of classes is tried on. */
export const classSamples = (): readonly Sample[] => [
  numbersSample("two classes", { classes: 2 }),
  numbersSample("three classes"),
  numbersSample("weights", { weighted: true }),
  numbersSample("an offset of 1e8", { offset: 1e8 }),
];

/** What every learner of numbers is tried on. */
export const numberSamples = (): readonly Sample[] => [
  numbersSample("numbers", { task: "regression" }),
  numbersSample("weights", { task: "regression", weighted: true }),
  numbersSample("an offset of 1e8", { task: "regression", offset: 1e8 }),
];

/** What every learner of X alone is tried on. */
export const rowSamples = (): readonly Sample[] => [
  numbersSample("numbers", { task: "none" }),
  numbersSample("weights", { task: "none", weighted: true }),
  numbersSample("an offset of 1e8", { task: "none", offset: 1e8 }),
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

/** Columns whose order statistics are hard to find: enough rows that numbers are not asked for at once. */
export function tailsSample(
  name: string,
  { rows = 5000, weighted = false, seed = 17 }: SampleOptions = {},
): Sample {
  const draw = random(seed);
  const of = (make: (i: number) => number) => Array.from({ length: rows }, (_, i) => make(i));
  const columns = {
    tails: of(() => Math.exp(100 * normal(draw)) * (draw() < 0.5 ? -1 : 1)),
    few: of(() => Math.floor(draw() * 3) - 1),
    same: of(() => 0.1),
    far: of((i) => (i % 2 === 0 ? 1e15 : 0) + draw()),
    w: of((i) => (i % 7 === 0 ? 0 : Math.ceil(4 * draw()))),
  };
  return {
    name,
    columns,
    features: ["tails", "few", "same", "far"],
    ...(weighted && { sampleWeight: "w" }),
  };
}

/** Three columns of whole numbers ≥ 0 that differ between classes. */
export function countsSample(
  name: string,
  {
    most = 6,
    labels = "text",
    ...options
  }: SampleOptions & { readonly most?: number; readonly labels?: "text" | "number" | "boolean" } = {},
): Sample {
  const { rows = 90, classes = 3, weighted = false, seed = 3 } = options;
  const draw = random(seed);
  const k = Array.from({ length: rows }, (_, i) => (i * 5 + Math.floor(draw() * 2)) % classes);
  const column = (j: number) => k.map((c) => Math.round(draw() * draw() ** ((c + j) % 3) * most));
  const label = (c: number) => (labels === "text" ? letters[c]! : labels === "number" ? 10 * c - 5 : c === 1);
  return {
    name,
    columns: {
      a: column(0),
      b: column(1),
      c: column(2),
      y: k.map(label),
      w: k.map((_, i) => (i % 11 === 0 ? 0 : 0.25 + draw() * 3)),
    },
    features: ["a", "b", "c"],
    target: "y",
    ...(weighted && { sampleWeight: "w" }),
  };
}

/** A table of categories, gaps, booleans and whole numbers, with labels or numbers to predict. */
export function mixedSample(name: string, options: SampleOptions = {}): Sample {
  const { rows = 90, classes = 2, weighted = false, task = "classification", seed = 11 } = options;
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
  const columns: Record<string, readonly (number | string | boolean | null)[]> = { town, size, open, price };
  if (task === "classification") columns["y"] = score.map((s) => Math.abs(Math.floor(s)) % classes);
  if (task === "regression") columns["y"] = score;
  columns["w"] = score.map((_, i) => (i % 13 === 0 ? 0 : 0.5 + draw()));
  return {
    name,
    columns,
    features: ["town", "size", "open", "price"],
    ...(task !== "none" && { target: "y" }),
    ...(weighted && { sampleWeight: "w" }),
  };
}
