import { Task } from "../trees.layout";

/** The lists of entries of all nodes; see trees.layout.ts. */
export let entries: usize = 0;
export let listCount: i32 = 0;
/** The length of a list. */
export let rows: i32 = 0;
export let unsorted: bool = false;

export function openEntries(task: Task): void {
  entries = <usize>task.entries;
  listCount = <i32>task.listCount;
  rows = <i32>task.rows;
  unsorted = task.unsorted != 0;
}

// @inline
export function entryAt(list: i32, place: i32): usize {
  return entries + ((<usize>list * <usize>rows + <usize>place) << 3);
}
// @inline
export function rowOf(entry: usize): usize {
  return <usize>load<u32>(entry);
}
// @inline
export function rankOf(entry: usize): u32 {
  return load<u32>(entry, 4);
}
