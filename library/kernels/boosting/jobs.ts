import { doTask } from "./grow";
import { at, part } from "./problem";

/**
 * Jobs for helping threads that wait inside a kernel call: a 64-bit word with the job's number in its upper and the next task in
 * its lower half, so that nobody can take a task of one job for one of another; on other cache lines 64 tasks not finished and
 * from 128 on what the job is about: kind, tasks, and four numbers.
 */
const DONE: i64 = -1;

export function openJobs(): void {
  atomic.store<i64>(<usize>at.jobs, 0);
}
export function closeJobs(): void {
  atomic.store<i64>(<usize>at.jobs, DONE);
}

/** A number that tasks of the job at hand read. */
@inline
export function setting(e: i32): i32 {
  return load<i32>(<usize>at.jobs + (<usize>e << 2), 136);
}
export function setSetting(e: i32, value: i32): void {
  store<i32>(<usize>at.jobs + (<usize>e << 2), value, 136);
}

/** Rounds of waiting after which whoever holds the last task must have lost its processor: a task takes a third of that at most. */
const LONG: i32 = 300_000;
/** Jobs that are not shared after such a wait: twice as many each time, up to a limit. */
const FEWEST_ALONE: i32 = 64;
const MOST_ALONE: i32 = 4096;
let alone: i32 = 0;
let pause: i32 = FEWEST_ALONE;

/** Waits for the tasks of others; on a machine that is busy with something else the next jobs are not shared. */
function wait(jobs: usize): void {
  let rounds: i32 = 0;
  while (atomic.load<i32>(jobs, 64) > 0) rounds++;
  if (rounds > LONG) {
    alone = pause;
    pause = min(2 * pause, MOST_ALONE);
  } else pause = max(pause - 1, FEWEST_ALONE);
}

/** All tasks, together with whoever helps if they are worth `sharing`. */
export function run(kind: i32, tasks: i32, sharing: bool): void {
  const share = sharing && tasks > 1 && at.parts > 1;
  if (!share || alone > 0) {
    if (share) alone--;
    for (let task: i32 = 0; task < tasks; task++) doTask(kind, task);
    return;
  }
  const jobs = <usize>at.jobs;
  store<i32>(jobs, kind, 128);
  store<i32>(jobs, tasks, 132);
  store<i32>(jobs, tasks, 64);
  const number = (atomic.load<i64>(jobs) >> 32) + 1;
  atomic.store<i64>(jobs, number << 32);
  takeTasks(jobs, number);
  wait(jobs);
}

function takeTasks(jobs: usize, number: i64): void {
  const kind = load<i32>(jobs, 128);
  const tasks = load<i32>(jobs, 132);
  for (;;) {
    const word = atomic.load<i64>(jobs);
    if (word >> 32 != number) return;
    const task = <i32>(word & 0xffffffff);
    if (task >= tasks) return;
    if (atomic.cmpxchg<i64>(jobs, word, word + 1) != word) continue;
    doTask(kind, task);
    atomic.sub<i32>(jobs, 1, 64);
  }
}

/** A helping thread: takes tasks of one job after the other until the tree is grown. */
export function help(): void {
  const jobs = <usize>at.jobs;
  const idle = jobs + 256 + (<usize>part << 6);
  let seen: i64 = 0;
  for (;;) {
    const word = atomic.load<i64>(jobs);
    if (word == DONE) return;
    if (word >> 32 == seen) {
      // Reading all the time would slow down whoever writes.
      for (let e: i32 = 0; e < 16; e++) store<i32>(idle, e);
      continue;
    }
    seen = word >> 32;
    takeTasks(jobs, seen);
  }
}
