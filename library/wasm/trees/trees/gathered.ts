import { Task } from "../trees.layout";

/**
 * Weights and targets of the rows of a node, in the order of the first list, if `gathers`. A target is
 * w y in regression, `targetLanes` numbers w y with several targets, w for the second of two classes and 0 for the first, 8 times the
 * class index with more classes.
 */
export let gatheredWeights: usize = 0;
export let gatheredTargets: usize = 0;
export let gathers: bool = false;

export function openGathered(task: Task): void {
  gatheredWeights = <usize>task.gathered;
  gathers = gatheredWeights != 0;
  gatheredTargets = gatheredWeights + ((<usize>task.rows + 1) << 3);
}
