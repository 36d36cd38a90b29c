import { awaitJob, awaitTasks, finishTask, mayShare, startJob, takeTask } from "../../shared/team";
import { IDLE_LINES, JOB_ARGUMENTS, JOB_KIND } from "../boosting.layout";
import { doTask } from "./grow";
import { problem, thread } from "./problem";

/** An argument of the current job. */
// @inline
export function jobArgument(e: i32): i32 {
  return load<i32>(<usize>problem.jobs + ((<usize>e) << 2), JOB_ARGUMENTS);
}
export function setJobArgument(e: i32, value: i32): void {
  store<i32>(<usize>problem.jobs + ((<usize>e) << 2), value, JOB_ARGUMENTS);
}

/** Nanoseconds to wait for other threads: a scheduling interval. A task takes 0.1 ms, a late wake-up 1 ms. */
const PATIENCE: i64 = 4_000_000;

/** Runs all tasks of a job, with the helping threads if `sharing`. */
export function run(kind: i32, tasks: i32, sharing: bool): void {
  if (!sharing || tasks < 2 || problem.threads < 2 || !mayShare()) {
    for (let task: i32 = 0; task < tasks; task++) doTask(kind, task);
    return;
  }
  const team = <usize>problem.jobs;
  store<i32>(team, kind, JOB_KIND);
  takeTasks(team, startJob(team, tasks));
  awaitTasks(team, PATIENCE);
}

function takeTasks(team: usize, job: i64): void {
  const kind = load<i32>(team, JOB_KIND);
  for (let task = takeTask(team, job); task >= 0; task = takeTask(team, job)) {
    doTask(kind, task);
    finishTask(team);
  }
}

/** A helping thread: takes tasks of one job after the other until the tree is grown. */
export function help(): void {
  const team = <usize>problem.jobs;
  const idle = team + IDLE_LINES + ((<usize>thread) << 6);
  for (let job = awaitJob(team, 0, idle); job > 0; job = awaitJob(team, job, idle)) takeTasks(team, job);
}
