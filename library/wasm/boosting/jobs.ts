import { awaitJob, awaitTasks, finishTask, mayShare, startJob, takeTask } from "../shared/team";
import { doTask } from "./grow";
import { at, part } from "./problem";

/** A job of the team: at 132 its kind, from 136 on six numbers that its tasks read. */

/** A number that tasks of the job at hand read. */
// @inline
export function setting(e: i32): i32 {
  return load<i32>(<usize>at.jobs + ((<usize>e) << 2), 136);
}
export function setSetting(e: i32, value: i32): void {
  store<i32>(<usize>at.jobs + ((<usize>e) << 2), value, 136);
}

/** Nanoseconds, as long as a scheduler leaves a thread aside at least; a task takes a tenth of a millisecond, a late wake-up one. */
const PATIENCE: i64 = 4_000_000;

/** All tasks, together with whoever helps if they are worth `sharing`. */
export function run(kind: i32, tasks: i32, sharing: bool): void {
  if (!sharing || tasks < 2 || at.parts < 2 || !mayShare()) {
    for (let task: i32 = 0; task < tasks; task++) doTask(kind, task);
    return;
  }
  const team = <usize>at.jobs;
  store<i32>(team, kind, 132);
  takeTasks(team, startJob(team, tasks));
  awaitTasks(team, PATIENCE);
}

function takeTasks(team: usize, job: i64): void {
  const kind = load<i32>(team, 132);
  for (let task = takeTask(team, job); task >= 0; task = takeTask(team, job)) {
    doTask(kind, task);
    finishTask(team);
  }
}

/** A helping thread: takes tasks of one job after the other until the tree is grown. */
export function help(): void {
  const team = <usize>at.jobs;
  const idle = team + 256 + ((<usize>part) << 6);
  for (let job = awaitJob(team, 0, idle); job > 0; job = awaitJob(team, job, idle)) takeTasks(team, job);
}
