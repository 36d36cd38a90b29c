import { transformer } from "../core/capabilities.js";
import type { FittedTransformer, MatrixLike } from "../core/contract.js";
import { Model } from "../core/model.js";
import { stateOf } from "../core/state/model-state.js";
import { type ModelState, StateReader } from "../core/state/state.js";
import { type Structure, structure, transformerStructure } from "../core/structure.js";
import { type Design, readMatrix } from "../data/input.js";
import { Matrix } from "../data/matrix.js";
import { readExpansion } from "../kernel-functions/expansion.js";
import { FeatureMap } from "./feature-map.js";

export const featureMapCapabilities = transformer({
  sparse: true,
  sampleWeight: true,
  scale: "standard",
});

export interface FeatureMapState {
  readonly id: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly map: FeatureMap;
}

/** A fitted feature map: columns whose inner products are (approximate) kernel values. */
export class FittedFeatureMap extends Model implements FittedTransformer {
  protected readonly state: FeatureMapState;

  constructor(state: FeatureMapState) {
    super();
    this.state = state;
  }

  get nFeatures(): number {
    return this.state.map.pivots.parts.nFeatures;
  }

  get featureNamesIn(): readonly string[] | undefined {
    return this.state.map.pivots.parts.featureNamesIn;
  }

  /** The number of columns that `transform` returns. */
  get nComponents(): number {
    return this.state.map.rank;
  }

  /** The training rows that span the feature space; without columns for a precomputed kernel. */
  get components(): Design {
    return this.state.map.pivots.parts.points;
  }

  /** Their indices among the training rows. */
  get componentIndices(): Int32Array {
    return this.state.map.pivots.parts.rows;
  }

  transform(x: MatrixLike): Matrix {
    const where = `${this.state.id}.transform`;
    return this.state.map.features(where, readMatrix(where, x, { like: this, sparse: true }));
  }

  [structure](): Structure {
    const { map } = this.state;
    const identity = Matrix.zeros(map.rank, map.rank);
    for (let k = 0; k < map.rank; k++) identity.data[k * map.rank + k] = 1;
    const scores = map.expansion(identity, new Float64Array(map.rank)).described();
    return transformerStructure(this, { kind: "project", scores });
  }

  toState(): ModelState {
    const { id, params, map } = this.state;
    const { coef: _none, intercept: _neither, ...learned } = map.pivots.learned(`saveModel(${id})`);
    const lower = new Matrix(map.lower, map.rank, map.rank);
    return stateOf(id, { params, featureNamesIn: this.featureNamesIn }, { ...learned, lower });
  }
}

/** Checks and rebuilds what `toState` wrote. */
export function readFeatureMap(state: ModelState): FeatureMapState {
  const reader = new StateReader(state);
  const rank = reader.integers("rows", [-1]).length;
  const none = new Float64Array(0);
  const outputs = { coef: { shape: [0, rank], data: none }, intercept: { shape: [0], data: none } };
  const pivots = readExpansion(new StateReader({ ...state, tensors: { ...state.tensors, ...outputs } }), 0);
  const lower = reader.finite("lower", [rank, rank]);
  for (let k = 0; k < rank; k++)
    if (!(lower[k * rank + k]! > 0)) reader.fail("lower", "positive on its diagonal", "something else");
  return { id: state.kind, params: state.params, map: new FeatureMap(pivots, lower) };
}
