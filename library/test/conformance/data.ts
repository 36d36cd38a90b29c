import { Random } from "../../src/core/numbers/random.js";
import { makeBlobs } from "../../src/data/generators/index.js";
import { capabilities, type Subject } from "./subject.js";

export interface Problem {
  readonly X: number[][];
  /** Labels, numbers, or nothing where X is all there is to learn from. */
  readonly y: readonly (string | number)[] | undefined;
}

/** Numbers that 32-bit floats hold exactly, so that every kind of input can carry the same problem. */
const exactly = (value: number) => Math.round(value * 64) / 64;

/**
 * A small problem of the subject's kind: columns of different size and offset, classes that overlap, a target with
 * noise. No row is repeated and no column constant.
 */
export function problem(subject: Subject, { rows = 60, seed = 3 } = {}): Problem {
  const { task, multiclass, input, needsTargets = false } = capabilities(subject);
  if (input === "text") return { X: documents(rows, seed) as never, y: undefined };
  const centers = (multiclass ? 3 : 2) as number;
  const blobs = makeBlobs({
    nSamples: rows,
    centers,
    nFeatures: 4,
    clusterStd: 4,
    centerBox: [-5, 5],
    randomState: seed,
  });
  const X = blobs.X.toArray().map(([a, b, c, d]) => [
    exactly(a!),
    exactly(b! / 4),
    exactly(c! + 3),
    exactly(d! * 2),
  ]);
  if (subject.features === "counts")
    for (const row of X)
      for (let j = 0; j < row.length; j++) row[j] = Math.max(0, Math.round(row[j]! / 2 + 4));
  if (subject.features === "single") for (const row of X) row.length = 1;
  if (task !== "classification" && task !== "regression" && !needsTargets) return { X, y: undefined };
  if (task === "classification") return { X, y: blobs.y.map((k) => classNames(subject)[k]!) };
  const random = new Random(seed);
  const noisy = X.map(([a, b = 0, c = 0]) => exactly(a! - 2 * b + 0.5 * c + random.normal()));
  return {
    X,
    y: subject.targets === "counts" ? noisy.map((value) => Math.max(0, Math.round(value / 4 + 2))) : noisy,
  };
}

/** Whether one of its two classes is positive, which only some labels say themselves. */
export const hasPositive = (subject: Subject): boolean =>
  !capabilities(subject).multiclass && "positiveLabel" in subject.type.table;

/** The labels of the problem, in sorted order. */
export const classNames = (subject: Subject): readonly string[] =>
  hasPositive(subject) ? ["no", "yes"] : ["ant", "bee", "cow"];

/** Documents of ten words from a small vocabulary, some of them outside ASCII. No two are the same. */
export function documents(rows: number, seed: number): string[] {
  const random = new Random(seed);
  const words = "Ada byte CODE data Émile fünf gramm hash İndex 日本 kernel loss model näive 🙂x".split(" ");
  return Array.from({ length: rows }, (_, i) =>
    [`w${i}`, ...Array.from({ length: 9 }, () => words[random.below(words.length)]!)].join(" "),
  );
}

/** The same problem with the labels replaced. */
export function relabelled<L>(y: Problem["y"], labels: readonly L[]): L[] {
  const names = [...new Set(y)].sort();
  return y!.map((label) => labels[names.indexOf(label)]!);
}

/** Only the rows of the first two classes. */
export function twoClasses({ X, y }: Problem): Problem {
  const kept = X.map((_, i) => i).filter((i) => y![i] !== "cow");
  return { X: kept.map((i) => X[i]!), y: kept.map((i) => y![i]!) };
}

export const pick = <T>(list: readonly T[] | undefined, rows: readonly number[]): T[] | undefined =>
  list === undefined ? undefined : rows.map((i) => list[i]!);
