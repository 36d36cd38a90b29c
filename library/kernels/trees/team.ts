import { look, partColumn } from "./split";
import { rows, task } from "./task";

/**
 * Threads that share the columns of one node. A 64-bit word has the job's number in its upper and the next column in its lower
 * half, so that nobody takes a column of one job with the range of another; on other cache lines, 32-bit words: 64 columns not
 * finished, 128 what to do, 132 columns, 136 from, 140 to; at 144 a double.
 */
const DONE: i64 = -1;
export const SCAN: i32 = 0;
export const PART: i32 = 1;

/** Entries of a node below which a job costs more than it saves. */
const WORTH_SHARING: i32 = 20000;

// Of this thread.
let scratch: usize = 0;
let spare: usize = 0;
/** Whether there is anybody to share with. */
let team: bool = false;

export function join(thread: i32, withOthers: bool): void {
  scratch = <usize>task.scratch + <usize>thread * <usize>task.scratchBytes;
  spare = <usize>task.spare + (<usize>thread * <usize>rows << 3);
  team = withOthers;
  if (team && thread == 0) atomic.store<i64>(<usize>task.jobs, 0);
}

export function leave(): void {
  if (team) atomic.store<i64>(<usize>task.jobs, DONE);
}

@inline
function work(what: i32, column: i32, from: i32, to: i32, value: f64): void {
  if (what == SCAN) look(column, from, to, value, scratch);
  else if (column != <i32>value) partColumn(column, from, to, spare);
}

/** Does it for all columns; `value` is the weight of the node, or the column that is parted already. */
export function shareColumns(what: i32, columns: i32, from: i32, to: i32, value: f64): void {
  if (!team || (to - from) * columns < WORTH_SHARING) {
    for (let c: i32 = 0; c < columns; c++) work(what, c, from, to, value);
    return;
  }
  const jobs = <usize>task.jobs;
  store<i32>(jobs, columns, 64);
  store<i32>(jobs, what, 128);
  store<i32>(jobs, columns, 132);
  store<i32>(jobs, from, 136);
  store<i32>(jobs, to, 140);
  store<f64>(jobs, value, 144);
  const number = (atomic.load<i64>(jobs) >> 32) + 1;
  atomic.store<i64>(jobs, number << 32);
  take(jobs, number);
  while (atomic.load<i32>(jobs, 64) > 0) {}
}

function take(jobs: usize, number: i64): void {
  const what = load<i32>(jobs, 128);
  const columns = load<i32>(jobs, 132);
  const from = load<i32>(jobs, 136);
  const to = load<i32>(jobs, 140);
  const value = load<f64>(jobs, 144);
  for (;;) {
    const word = atomic.load<i64>(jobs);
    if (word >> 32 != number) return;
    const column = <i32>(word & 0xffffffff);
    if (column >= columns) return;
    if (atomic.cmpxchg<i64>(jobs, word, word + 1) != word) continue;
    work(what, column, from, to, value);
    atomic.sub<i32>(jobs, 1, 64);
  }
}

/** A helping thread: takes columns of one job after the other until the tree is grown. */
export function help(): void {
  const jobs = <usize>task.jobs;
  let seen: i64 = 0;
  for (;;) {
    const word = atomic.load<i64>(jobs);
    if (word == DONE) return;
    if (word >> 32 == seen) {
      // Reading all the time would slow down whoever writes.
      for (let pause: i32 = 0; pause < 64; pause++) store<i32>(scratch, pause);
      continue;
    }
    seen = word >> 32;
    take(jobs, seen);
  }
}
