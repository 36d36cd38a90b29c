import { StandardScaler } from "argmax";
import { isRoundingNoise } from "argmax/sums";
import { learner } from "../fit/learner.js";
import { groupMoments } from "./moments.js";
import { modelState } from "./state.js";

export const scalerLearners = [
  learner(StandardScaler, async (estimator, rows) => {
    const { withStd } = estimator.params;
    const [{ total, mean, squares }] = await groupMoments(rows, rows.x);
    const variance = squares.map((sum) => sum / total);
    const scale = variance.map((v, j) =>
      withStd && !isRoundingNoise(Math.sqrt(v), mean[j]!) ? Math.sqrt(v) : 1,
    );
    return StandardScaler.restore(
      modelState(estimator, rows, { nSamplesSeen: total }, { mean, variance, scale }),
    );
  }),
];
