import type { FittedTransformer, MatrixLike } from "../core/contract.js";
import { DataError } from "../core/errors.js";
import { describeParams } from "../core/estimator.js";
import { type ModelState, StateReader } from "../core/state.js";
import { type Design, readMatrix } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { Expansion, readExpansion } from "../kernel-functions/expansion.js";
import type { LearningRows } from "../kernel-functions/learning-rows.js";
import { featuresOfValues, kernelFeatures } from "../numeric/kernel-functions/kernel-features.js";
import { type KernelPoints, kernelPoints } from "../numeric/kernel-functions/kernel-points.js";
import type { KernelTree } from "../numeric/kernel-functions/kernel-tree.js";
import type { PivotedFeatures } from "./pivoted-features.js";

/** The rows of a kernel matrix's factor that are enough to place any other row: φ(z) = L⁻¹ k(x_p, z). */
export class FeatureMap {
  #points: KernelPoints | undefined;

  constructor(
    /** Of no outputs: the kernel and the pivots. */
    readonly pivots: Expansion,
    /** L, row-major: the factor of the pivots' kernel matrix. */
    readonly lower: Float64Array,
  ) {}

  get rank(): number {
    return this.pivots.parts.rows.length;
  }

  features(where: string, z: Design): Matrix {
    const { kernel, points } = this.pivots.parts;
    const out =
      kernel.kind === "tree"
        ? kernelFeatures(where, z, this.#placed(points, kernel.tree), kernel.tree, this.lower)
        : featuresOfValues(where, this.pivots.values(where, z), this.lower);
    const wrong = out.data.findIndex((value) => !Number.isFinite(value));
    if (wrong < 0) return out;
    throw new DataError({
      where,
      subject: `row ${Math.floor(wrong / out.cols)} of X`,
      expected: "numbers whose kernel values are finite",
      received: "larger ones",
    });
  }

  /** w·φ + b, one row of w an output, as sums over the pivots: Σ β_t k(x_t, ·) + b with β = L⁻ᵀ w. */
  expansion(w: Matrix, intercept: Float64Array): Expansion {
    const r = this.rank;
    const coef = new Matrix(w.data.slice(), w.rows, r);
    for (let k = 0; k < w.rows; k++) {
      const beta = coef.data.subarray(k * r, (k + 1) * r);
      for (let t = r - 1; t >= 0; t--) {
        beta[t]! /= this.lower[t * r + t]!;
        for (let s = 0; s < t; s++) beta[s]! -= this.lower[t * r + s]! * beta[t]!;
      }
    }
    return new Expansion({ ...this.pivots.parts, coef, intercept });
  }

  #placed(points: Design, tree: KernelTree): KernelPoints {
    this.#points ??= kernelPoints(points, tree);
    return this.#points;
  }
}

/** `nFeatures`: columns of X, of a precomputed kernel the rows that were given. */
export function featureMap(
  { kernel, x, rows, featureNamesIn }: LearningRows,
  { pivots, lower }: Pick<PivotedFeatures, "pivots" | "lower">,
): FeatureMap {
  const own = new Expansion({
    kernel,
    points: kernel.kind === "precomputed" ? Matrix.zeros(pivots.length, 0) : x.selectRows(pivots),
    rows: pivots.map((i) => rows[i]!),
    nFeatures: x.cols,
    featureNamesIn,
    coef: Matrix.zeros(0, pivots.length),
    intercept: new Float64Array(0),
  });
  return new FeatureMap(own, lower);
}

export interface FeatureMapState {
  readonly id: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly map: FeatureMap;
}

/** A fitted map into the space of a kernel: ordinary columns whose products are kernel values. */
export class FittedFeatureMap implements FittedTransformer {
  protected readonly state: FeatureMapState;

  constructor(state: FeatureMapState) {
    this.state = state;
  }

  get nFeatures(): number {
    return this.state.map.pivots.parts.nFeatures;
  }

  get featureNamesIn(): readonly string[] | undefined {
    return this.state.map.pivots.parts.featureNamesIn;
  }

  /** Columns of what `transform` gives. */
  get nComponents(): number {
    return this.state.map.rank;
  }

  /** The training rows that span the space; of a precomputed kernel only their numbers are known. */
  get components(): Design {
    return this.state.map.pivots.parts.points;
  }

  /** Their numbers among the training rows. */
  get componentIndices(): Int32Array {
    return this.state.map.pivots.parts.rows;
  }

  transform(x: MatrixLike): Matrix {
    const where = `${this.state.id}.transform`;
    return this.state.map.features(where, readMatrix(where, x, { like: this, sparse: true }));
  }

  toState(): ModelState {
    const { id, params, map } = this.state;
    const { values, tensors: all } = map.pivots.toState(`saveModel(${id})`);
    const { coef: _none, intercept: _neither, ...tensors } = all;
    const { rank, lower } = map;
    return {
      kind: id,
      params: describeParams(params),
      values,
      tensors: { ...tensors, lower: { shape: [rank, rank], data: lower } },
    };
  }
}

/** Checks and rebuilds what `toState` wrote. */
export function readFeatureMap(state: ModelState): FeatureMapState {
  const reader = new StateReader(state);
  const rank = reader.integers("rows", [-1]).length;
  const none = new Float64Array(0);
  const outputs = { coef: { shape: [0, rank], data: none }, intercept: { shape: [0], data: none } };
  const pivots = readExpansion(new StateReader({ ...state, tensors: { ...state.tensors, ...outputs } }), 0);
  const lower = reader.floats("lower", [rank, rank]);
  if (!lower.every(Number.isFinite)) reader.fail("lower", "finite", "±∞");
  for (let k = 0; k < rank; k++)
    if (!(lower[k * rank + k]! > 0)) reader.fail("lower", "positive on its diagonal", "something else");
  return { id: state.kind, params: state.params, map: new FeatureMap(pivots, lower) };
}
