import { GaussianNB } from "argmax";
import { learner } from "../fit/learner.js";
import { groupMoments } from "./moments.js";
import { classKey, modelState, stacked } from "./state.js";

export const bayesLearners = [
  learner(GaussianNB, async (estimator, rows) => {
    const { classes } = rows.target!;
    const groups = await groupMoments(rows, rows.x, { by: classKey(rows) });
    const classCount = Float64Array.from(groups, ({ total }) => total);
    const theta = stacked(groups.map(({ mean }) => mean));
    const squares = stacked(groups.map((group) => group.squares));
    return GaussianNB.restore(modelState(estimator, rows, { classes }, { classCount, theta, squares }));
  }),
];
