import { Task } from "../trees.layout";
import { openBins } from "./column-bins";
import { openData, several, targetLanes } from "./data";
import { openEntries } from "./entries";
import { openGathered } from "./gathered";
import { seedDraws } from "./random";

// The fields of the current task as globals, set by `enter`: converting an address from a double takes ten nanoseconds.
export let task: Task = changetype<Task>(0);
export let columns: i32 = 0;
export let classes: i32 = 0;
export let criterion: i32 = 0;
/** Whether sums are vectors of `classes` numbers per side, and not one number. */
export let many: bool = false;
/** Bytes of such a vector. */
export let vectorBytes: usize = 0;
export let side: usize = 0;
export let totals: usize = 0;
export let sparse: bool = false;
export let logs: usize = 0;
export let minLeaf: i32 = 0;
export let minWeight: f64 = 0;

export function enter(at: usize): void {
  task = changetype<Task>(at);
  openData(task);
  openEntries(task);
  openGathered(task);
  seedDraws(<u32>task.seed);
  columns = <i32>task.columns;
  classes = <i32>task.classes;
  criterion = <i32>task.criterion;
  many = classes > 2 || several;
  vectorBytes = (several ? targetLanes : <usize>classes) << 3;
  openBins(task);
  side = <usize>task.side;
  totals = <usize>task.totals;
  sparse = task.sparse != 0;
  logs = <usize>task.logs;
  minLeaf = <i32>task.minLeaf;
  minWeight = task.minWeight;
}
