import { effect, untracked } from "@preact/signals";
import { baseline } from "./baseline.js";
import { document, followsLeader, selectLeader } from "./session.js";
import { standings } from "./standings.js";
import { runOf } from "./training.js";

/** Once all models of an own table are measured, the best of them is the one that other screens begin with. */
export function followLeader(): () => void {
  return effect(() => {
    if (!followsLeader.value) return;
    const { models } = document.value;
    const runs = models.map(({ id }) => runOf(id).value);
    if (runs.some(({ state }) => state === "waiting" || state === "queued" || state === "running")) return;
    const leader = standings(models, runs, baseline.value?.score).rows[0];
    untracked(() => {
      if (leader?.mean !== undefined && document.value.selected !== leader.model.id)
        selectLeader(leader.model.id);
    });
  });
}
