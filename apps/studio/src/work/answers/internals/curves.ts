import type { FittedHist } from "argmax/boosting";
import type { FittedGaussianMixture } from "argmax/mixture";
import type { FittedMLPClassifier } from "argmax/neural";
import type { Panel } from "../../protocol.js";
import { viewAs } from "./view.js";

/** How a measure changed during the fit. */
export function curves(model: object): Panel[] {
  const curve = (title: string, unit: string, values: ArrayLike<number> | undefined): Panel[] =>
    values === undefined || values.length < 2
      ? []
      : [{ kind: "curve", title, unit, values: Array.from(values) }];
  return [
    ...curve("Loss", "epoch", viewAs<FittedMLPClassifier>(model, "lossCurve")?.lossCurve),
    ...curve("Log-likelihood", "step", viewAs<FittedGaussianMixture>(model, "lowerBounds")?.lowerBounds),
    ...curve("Score on training rows", "round", viewAs<FittedHist>(model, "trainScore")?.trainScore),
  ];
}
