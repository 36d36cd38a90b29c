import type { Board, BoardColumn } from "../../state/document.js";
import { modelName } from "../../state/model-names.js";
import type { Standing } from "../../state/standings.js";

/** Sorted by a column, pinned rows first; of equals the better one comes first. Rows without a figure are the last ones either way. */
export function arranged(
  rows: readonly Standing[],
  { sort, reversed, pinned }: Omit<Board, "compared">,
): Standing[] {
  const isPinned = ({ model }: Standing) => pinned.includes(model.id);
  const order = (a: Standing, b: Standing): number => {
    if (isPinned(a) !== isPinned(b)) return isPinned(a) ? -1 : 1;
    const [first, second] = [figureOf[sort](a), figureOf[sort](b)];
    if (first === second) return 0;
    if (first === undefined) return 1;
    if (second === undefined) return -1;
    // The best score is the largest one; the best time, size and name come first.
    const isBetter = sort === "score" ? first > second : first < second;
    return isBetter !== reversed ? -1 : 1;
  };
  return rows.toSorted(order);
}

const figureOf: { readonly [C in BoardColumn]: (row: Standing) => number | string | undefined } = {
  name: ({ model }) => modelName(model.estimator).toLowerCase(),
  score: ({ mean }) => mean,
  fit: (row) => shown(row)?.fitMilliseconds,
  predict: (row) => (shown(row)?.canPredict ? shown(row)?.predictMicroseconds : undefined),
  size: (row) => shown(row)?.file.length,
};

/** The figures that a row shows: a model that is being measured, or could not be, has none yet. */
const shown = ({ run }: Standing) => (run.state === "done" ? run.trained : undefined);
