import { computed } from "@preact/signals";
import { baseline } from "../../state/baseline.js";
import { dispatch, document, toast } from "../../state/session.js";
import { type Standing, type Standings, standings } from "../../state/standings.js";
import { runOf } from "../../state/training.js";
import { arranged } from "./arrange.js";

const current = computed((): Standings => {
  const { models } = document.value;
  const runs = models.map(({ id }) => runOf(id).value);
  return standings(models, runs, baseline.value?.score);
});

/** The rows of the leaderboard in the order in which they are shown. */
export const boardRows = computed((): readonly Standing[] =>
  arranged(current.value.rows, document.value.board),
);

/** Why a model is recommended, as a sentence. */
export const reason = computed((): string => current.value.reason);

/** Ticks or unticks a model; says so where no more can be compared. */
export function tick(id: string): void {
  const { compared } = document.value.board;
  const on = !compared.includes(id);
  dispatch({ type: "compare", id, on });
  if (on && document.value.board.compared.length === compared.length)
    toast.value = { text: `${compared.length} models are compared already: untick one of them first.` };
}
