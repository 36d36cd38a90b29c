import { transformer } from "../core/capabilities.js";
import type { FitOptions, MatrixLike, Unlabelled } from "../core/contract.js";
import { DataError, ParameterError } from "../core/errors.js";
import type { Params, ParamValues } from "../core/params/params.js";
import { either, flag, integer, invalid, numbers } from "../core/params/params.js";
import { restoring } from "../core/state/model-state.js";
import type { ModelState } from "../core/state/state.js";
import { type Structure, structure, transformerStructure } from "../core/structure.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import { readColumns } from "../data/feature-names-in.js";
import { Matrix } from "../data/matrix.js";
import { type Scaled, ScalerEstimator, TransformerModel } from "../fitted/transformers.js";
import { Monomials } from "./monomials.js";

const pair = numbers({ atLeast: 0, length: 2, default: [0, 2], doc: "" });

/** The largest power of 2 that a double represents. */
const MOST_DEGREE = 1023;

export const polynomialFeaturesParams = {
  degree: either(
    integer({ atLeast: 0, atMost: MOST_DEGREE, default: 2, doc: "Highest degree, or [lowest, highest]." }),
    {
      ...pair,
      expected: `[lowest, highest] of integers ≥ 0 and ≤ ${MOST_DEGREE}`,
      read: (value: unknown) => {
        const list = pair.read(value);
        const fine = (degree: number) => Number.isInteger(degree) && degree <= MOST_DEGREE;
        return list !== invalid && list.every(fine) ? list : invalid;
      },
    },
  ),
  interactionOnly: flag({ default: false, doc: "Only products of different columns: no powers." }),
  includeBias: flag({ default: true, doc: "Begin with a column of ones." }),
};

/**
 * All products of columns up to a degree: 1, x₀, x₁, x₀², x₀x₁, x₁², … Degree 2 is the quadratic map under which a quadric
 * becomes a hyperplane; N columns become N + N + N(N − 1)/2, and 1.
 *
 * Parity: scikit-learn's PolynomialFeatures, in its order. As there, with a lowest degree above 0 only includeBias
 * adds the column of ones.
 */
export class PolynomialFeatures extends ScalerEstimator<typeof polynomialFeaturesParams> {
  static readonly id = "PolynomialFeatures";
  static readonly table = polynomialFeaturesParams;
  static readonly capabilities = transformer({ sparse: true });

  constructor(params: Params<typeof polynomialFeaturesParams> = {}) {
    super(params);
    const { degree, includeBias } = this.params;
    const [low, high] = degreesOf(degree);
    if (low > high) {
      const expected = "[lowest, highest] with lowest ≤ highest";
      throw new ParameterError(this.id, "degree", expected, `[${low}, ${high}]`);
    }
    if (high === 0 && !includeBias) {
      const expected = "above 0 without includeBias, since there would be no output";
      throw new ParameterError(this.id, "degree", expected, "0");
    }
  }

  /** Learns only the number of columns. */
  fit(x: MatrixLike, y?: Unlabelled, options?: FitOptions): FittedPolynomialFeatures {
    const known = this.unweighted(x, y, options, { sparse: true });
    const model = new FittedPolynomialFeatures(this.params, known);
    model.plan(known.where);
    return model;
  }

  static restore(state: ModelState): FittedPolynomialFeatures {
    const { reader, params } = restoring(polynomialFeaturesParams, state);
    return new FittedPolynomialFeatures(new PolynomialFeatures(params).params, readColumns(reader));
  }
}

export const degreesOf = (degree: number | readonly number[]): [number, number] =>
  typeof degree === "number" ? [0, degree] : [degree[0]!, degree[1]!];

export class FittedPolynomialFeatures extends TransformerModel<ParamValues<typeof polynomialFeaturesParams>> {
  protected readonly id = PolynomialFeatures.id;
  #planned: Monomials | undefined;

  /** Positions of the products. Created when first used, so that loading a file does not reserve memory for a number in it. */
  plan(where: string): Monomials {
    const { degree, interactionOnly, includeBias } = this.params;
    const [low, high] = degreesOf(degree);
    this.#planned ??= new Monomials(where, this.nFeatures, low, high, interactionOnly, includeBias);
    return this.#planned;
  }

  /** Number of output columns. */
  get nOutputs(): number {
    return this.plan(this.where("nOutputs")).count;
  }

  [structure](): Structure {
    return transformerStructure(this, { kind: "polynomial", powers: this.powers });
  }

  /** The exponent of every column in every output: nOutputs × nFeatures. */
  get powers(): Matrix {
    const out = Matrix.zeros(this.nOutputs, this.nFeatures);
    this.plan(this.where("powers")).forEach((o, columns) => {
      for (const j of columns) out.data[o * this.nFeatures + j]!++;
    });
    return out;
  }

  transform<X extends MatrixLike>(x: X): Scaled<X> {
    const where = this.where("transform");
    const design = this.read(where, x, { sparse: true });
    const monomials = this.plan(where);
    const out = design instanceof CsrMatrix ? monomials.sparse(design) : monomials.dense(design);
    const values = out instanceof CsrMatrix ? out.values : out.data;
    if (values.every(Number.isFinite)) return out as Scaled<X>;
    const expected = "numbers whose products fit a double";
    throw new DataError(where, "X", expected, "larger ones", "Scale it first (StandardScaler).");
  }

  /** `1`, `x0`, `x1`, `x0^2`, `x0 x1`, … */
  override featureNames(input?: readonly string[]): string[] {
    const names = this.namesIn(input);
    const out = new Array<string>(this.nOutputs);
    this.plan(this.where("featureNames")).forEach((o, columns) => {
      const powers = new Map<number, number>();
      for (const j of columns) powers.set(j, (powers.get(j) ?? 0) + 1);
      const factors = [...powers].map(([j, power]) => (power === 1 ? names[j]! : `${names[j]}^${power}`));
      out[o] = factors.length === 0 ? "1" : factors.join(" ");
    });
    return out;
  }
}
