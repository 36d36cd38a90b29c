import { rows } from "./entries";
import { task } from "./task";

/** Working memory of this thread: class weights left and right and statistics of categories; and room for a list of entries. */
export let scratch: usize = 0;
export let spare: usize = 0;

export function useThread(thread: i32): void {
  scratch = <usize>task.scratch + <usize>thread * <usize>task.scratchBytes;
  spare = <usize>task.spare + ((<usize>thread * <usize>rows) << 3);
}
