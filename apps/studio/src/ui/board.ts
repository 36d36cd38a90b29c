import { computed } from "@preact/signals";
import { dispatch, document, toast } from "../state/session.js";
import { type Standing, standings } from "../state/standings.js";
import { runOf } from "../state/training.js";
import { arranged } from "./arrange.js";

/** The rows of the leaderboard in the order in which they are shown. */
export const boardRows = computed((): readonly Standing[] => {
  const { models, board } = document.value;
  const runs = models.map(({ id }) => runOf(id).value);
  return arranged(standings(models, runs), board);
});

/** Ticks or unticks a model; says so where no more can be compared. */
export function tick(id: string): void {
  const { compared } = document.value.board;
  const on = !compared.includes(id);
  dispatch({ type: "compare", id, on });
  if (on && document.value.board.compared.length === compared.length)
    toast.value = { text: `${compared.length} models are compared already: untick one of them first.` };
}
