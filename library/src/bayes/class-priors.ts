import { ParameterError, show } from "../core/errors.js";
import { log } from "../core/numbers/elementary.js";
import { either, flag, invalid, numbers, optional, type ParamSpec, real } from "../core/params/params.js";

/** One pseudo-count for all, or one each. */
export type PseudoCounts = number | readonly number[];

const priorAlpha = either(
  real({
    atLeast: 0,
    default: 0,
    doc: "Pseudo-count of every class when the priors are learned (a Dirichlet prior's β − 1), or one per class.",
  }),
  numbers({ atLeast: 0, default: [], doc: "" }),
);

const given = (name: string) =>
  optional(
    numbers({
      atLeast: 0,
      default: [],
      doc: `Probability of each class, in sorted order, instead of learned ${name}.`,
    }),
  );

/** How the models of counts estimate P(y). */
export const classPriorParams = {
  fitPrior: flag({
    default: true,
    doc: "Learn P(y) from the rows; when false, all classes are equally likely.",
  }),
  classPrior: given("ones"),
  priorAlpha,
};

/** GaussianNB's spelling, as in scikit-learn. */
export const gaussianPriorParams = { priors: given("priors"), priorAlpha };

export interface ClassPriorValues {
  readonly fitPrior: boolean;
  readonly classPrior: readonly number[] | null;
  readonly priorAlpha: PseudoCounts;
}

/**
 * log P(y): fixed (`classPrior`), uniform (`fitPrior: false`) or learned, (countₖ + aₖ) / (Σ count + Σ a) with the
 * pseudo-counts a = `priorAlpha`. −Infinity for a class without rows and without a pseudo-count.
 */
export function classLogPriors(
  where: string,
  counts: Float64Array,
  { fitPrior, classPrior, priorAlpha }: ClassPriorValues,
  name = "classPrior",
): Float64Array {
  const K = counts.length;
  if (classPrior !== null) {
    const total = classPrior.reduce((sum, p) => sum + p, 0);
    // What decimals like 0.1 leave when they are added up; scikit-learn's GaussianNB allows as much.
    if (classPrior.length !== K || Math.abs(total - 1) > 1e-8) {
      const expected = `one probability for each of the ${K} classes, of sum 1`;
      const received = `${classPrior.length} of sum ${total}`;
      throw new ParameterError(where, name, expected, received);
    }
    return Float64Array.from(classPrior, log);
  }
  if (!fitPrior) return new Float64Array(K).fill(-log(K));
  const pseudo = broadcast(where, "priorAlpha", priorAlpha, K, "classes");
  let total = 0;
  for (let k = 0; k < K; k++) total += counts[k]! + pseudo[k]!;
  return counts.map((count, k) => log(count + pseudo[k]!) - log(total));
}

/** One number as a list of `count` equal ones; a list is checked to be that long. */
export function broadcast(
  where: string,
  name: string,
  pseudo: PseudoCounts,
  count: number,
  things: string,
): Float64Array {
  if (typeof pseudo === "number") return new Float64Array(count).fill(pseudo);
  if (pseudo.length === count) return Float64Array.from(pseudo);
  const expected = `one number, or one for each of the ${count} ${things}`;
  throw new ParameterError(where, name, expected, `${pseudo.length} numbers`);
}

/**
 * Pseudo-counts below this are this. Parity: scikit-learn's bound. With a probability of 0 a single unseen word would rule out a
 * class, and a row with one such word for every class would have no posterior at all.
 */
export const LEAST_ALPHA = 1e-10;

/** Lidstone's pseudo-count: one number, or one per column. */
export const columnAlpha = either(
  real({
    atLeast: 0,
    default: 1,
    doc: "Pseudo-count of every value (Laplace: 1), or one per column; below 1e-10 it is 1e-10.",
  }),
  numbers({ atLeast: 0, default: [], doc: "" }),
);

/** What a Beta prior adds to the counts of a binary column. */
export interface BetaCounts {
  readonly ones: number;
  readonly zeros: number;
}

export const betaCounts: Omit<ParamSpec<BetaCounts>, "default" | "doc"> = {
  kind: "part",
  expected: "betaPrior(a, b)",
  read: (value) => {
    if (value === null || typeof value !== "object") return invalid;
    const { ones, zeros, ...others } = value as Partial<BetaCounts>;
    const fine = [ones, zeros].every((v) => typeof v === "number" && Number.isFinite(v) && v >= 0);
    return fine && Object.keys(others).length === 0 ? Object.freeze({ ones: ones!, zeros: zeros! }) : invalid;
  },
};

/**
 * A Dirichlet prior with parameters β, as the pseudo-counts β − 1 that `alpha` and `priorAlpha` take: the most probable
 * parameters are then (count + β − 1) / Σ (count + β − 1). One β for all values, a list, or a list of lists.
 */
export function dirichletPrior(beta: number): number;
export function dirichletPrior(beta: readonly number[]): readonly number[];
export function dirichletPrior(beta: readonly (readonly number[])[]): readonly (readonly number[])[];
export function dirichletPrior(
  beta: number | readonly number[] | readonly (readonly number[])[],
): number | readonly number[] | readonly (readonly number[])[] {
  if (!Array.isArray(beta)) return lessOne("dirichletPrior", "beta", beta);
  return beta.map((b: number | readonly number[]) =>
    Array.isArray(b)
      ? b.map((v: number) => lessOne("dirichletPrior", "beta", v))
      : lessOne("dirichletPrior", "beta", b),
  ) as readonly number[];
}

/** A Beta(a, b) prior on P(xⱼ = 1 | y), for `BernoulliNB`'s alpha: P = (ones + a − 1) / (ones + zeros + a + b − 2). */
export function betaPrior(a: number, b: number): BetaCounts {
  return { ones: lessOne("betaPrior", "a", a), zeros: lessOne("betaPrior", "b", b) };
}

function lessOne(where: string, subject: string, value: unknown): number {
  if (typeof value === "number" && Number.isFinite(value) && value >= 1) return value - 1;
  const expected = "a number ≥ 1, below which the most probable parameter may be 0";
  throw new ParameterError(where, subject, expected, show(value));
}
