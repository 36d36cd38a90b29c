import { transformerCapabilities } from "../core/capabilities.js";
import type { Capabilities, FitOptions, MatrixLike } from "../core/contract.js";
import { readWeights } from "../core/labels.js";
import { featureNamesOf } from "../data/feature-names-in.js";
import { type Design, readMatrix } from "../data/input.js";
import type { GivenRows } from "../kernel-functions/training-rows.js";

export const featureMapCapabilities: Capabilities = {
  ...transformerCapabilities,
  sparse: true,
  sampleWeight: true,
  scale: "standard",
};

/** The training rows of a feature map: `given` leaves out rows of weight 0. */
export function givenRows(
  where: string,
  x: MatrixLike,
  { sampleWeight }: FitOptions,
): { readonly all: Design; readonly given: GivenRows; readonly weights: Float64Array | undefined } {
  const all = readMatrix(where, x, { sparse: true });
  const featureNamesIn = featureNamesOf(x);
  const weights = readWeights(where, sampleWeight, all.rows);
  if (!weights?.includes(0)) return { all, given: { x: all, featureNamesIn }, weights };
  const kept = Int32Array.from(weights.keys()).filter((i) => weights[i]! > 0);
  return { all, given: { x: all.selectRows(kept), kept, featureNamesIn }, weights };
}
