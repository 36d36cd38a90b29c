import {
  awaitJob,
  awaitTasks,
  closeTeam,
  finishTask,
  joinTeam,
  mayShare,
  startJob,
  takeTask,
} from "../../shared/team";
import { JOB_FROM, JOB_KIND, JOB_TO, JOB_VALUE } from "../trees.layout";
import { partitionList, scanOneColumn } from "./split";
import { task } from "./task";
import { scratch, useThread } from "./thread";

/** Kinds of jobs of threads that share the columns of one node. */
export const SCAN: i32 = 0;
export const PARTITION: i32 = 1;

/** Entries of a node below which sharing costs more than it saves. */
const MIN_SHARED_ENTRIES: i32 = 20000;
/** Nanoseconds to wait for other threads: a column of the largest node takes some milliseconds. */
const PATIENCE: i64 = 4_000_000;

/** Whether other threads help. */
let team: bool = false;

export function join(thread: i32, withOthers: bool): void {
  useThread(thread);
  // Zeroed memory is an open team: helping threads may arrive, and sleep, before the leader.
  team = withOthers;
  joinTeam(team ? <usize>task.jobs : 0);
}

export function leave(): void {
  if (team) closeTeam(<usize>task.jobs);
}

// @inline
function work(what: i32, at: i32, from: i32, to: i32, value: f64): void {
  if (what == SCAN) scanOneColumn(at, from, to, value);
  else if (at != <i32>value) partitionList(at, from, to);
}

/** Scans all columns, or partitions all lists; `value` is the weight of the node, or the list that is partitioned already. */
export function shareColumns(what: i32, count: i32, from: i32, to: i32, value: f64): void {
  if (!team || count == 1 || (to - from) * count < MIN_SHARED_ENTRIES || !mayShare()) {
    for (let at: i32 = 0; at < count; at++) work(what, at, from, to, value);
    return;
  }
  const jobs = <usize>task.jobs;
  store<i32>(jobs, what, JOB_KIND);
  store<i32>(jobs, from, JOB_FROM);
  store<i32>(jobs, to, JOB_TO);
  store<f64>(jobs, value, JOB_VALUE);
  take(jobs, startJob(jobs, count));
  awaitTasks(jobs, PATIENCE);
}

function take(jobs: usize, job: i64): void {
  const what = load<i32>(jobs, JOB_KIND);
  const from = load<i32>(jobs, JOB_FROM);
  const to = load<i32>(jobs, JOB_TO);
  const value = load<f64>(jobs, JOB_VALUE);
  for (let at = takeTask(jobs, job); at >= 0; at = takeTask(jobs, job)) {
    work(what, at, from, to, value);
    finishTask(jobs);
  }
}

/** A helping thread: takes columns of one job after the other until the tree is grown. */
export function help(): void {
  const jobs = <usize>task.jobs;
  for (let job = awaitJob(jobs, 0, scratch); job > 0; job = awaitJob(jobs, job, scratch)) take(jobs, job);
}
