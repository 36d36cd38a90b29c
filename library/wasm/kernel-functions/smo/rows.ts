import { real } from "../../shared/arrays";
import { kernelInto, panelDots, sparseDot } from "../../shared/kernel-functions";
import { EXPONENTIAL, GAUSSIAN, KernelStep } from "../../shared/kernel-functions.layout";
import { awaitJob, awaitTasks, finishTask, mayShare, startJob, takeTask } from "../../shared/team";
import { JOB_FROM, JOB_NORM, JOB_POINT, JOB_ROW, JOB_TO, STRETCH } from "../smo.layout";
import { exponentialRow } from "./exponential-row";
import { active, at, d, n, scratch, x } from "./problem";

/** Address of feature 0 of point t; feature e is 64 e bytes further. */
// @inline
export function pointAt(t: i32): usize {
  return x + ((<usize>(t >> 3) * <usize>d) << 6) + ((<usize>(t & 7)) << 3);
}

/** Start of the entries of the sparse point at position t; they end where those of the next input point start. */
// @inline
function startOf(t: i32, next: i32): i32 {
  return load<i32>(<usize>at.starts + ((<usize>(<i32>real(<usize>at.place, t) + next)) << 2));
}

/** Copies point t, feature by feature, to `out`. */
export function pointInto(t: i32, out: usize): void {
  if (x == 0) {
    memory.fill(out, 0, (<usize>d) << 3);
    const columns = <usize>at.columns;
    const end = startOf(t, 1);
    for (let e = startOf(t, 0); e < end; e++) {
      const j = <usize>load<i32>(columns + ((<usize>e) << 2));
      store<f64>(out + (j << 3), real(<usize>at.values, e));
    }
    return;
  }
  let from = pointAt(t);
  for (let e: i32 = 0; e < d; e++, from += 64) store<f64>(out + ((<usize>e) << 3), load<f64>(from));
}

/** row[t] = k(point, x_t) for t = from … to − 1, `from` a multiple of 8; at most STRETCH of them. */
function kernelStretch(point: usize, norm: f64, from: i32, to: i32, row: usize): void {
  const dots = scratch;
  const count = (to - from + 7) & ~7;
  if (x != 0) panelDots(point, d, x, from, to, dots);
  else {
    for (let t = from; t < to; t++) {
      const dot = sparseDot(point, <usize>at.columns, <usize>at.values, startOf(t, 0), startOf(t, 1));
      store<f64>(dots + ((<usize>(t - from)) << 3), dot);
    }
  }
  const norms = <usize>at.norms + ((<usize>from) << 3);
  const program = <usize>at.program;
  const out = row + ((<usize>from) << 2);
  const first = <i32>changetype<KernelStep>(program).operation;
  if (at.length == 1 && (first == GAUSSIAN || first == EXPONENTIAL)) {
    exponentialRow(changetype<KernelStep>(program).a, first == EXPONENTIAL, norm, norms, count, dots, out);
    return;
  }
  kernelInto(program, <i32>at.length, norm, norms, count, dots, dots + ((<usize>STRETCH) << 3));
  for (let e: i32 = 0; e < count; e += 4) {
    const low = f32x4.demote_f64x2_zero(v128.load(dots + ((<usize>e) << 3)));
    const high = f32x4.demote_f64x2_zero(v128.load(dots + ((<usize>e) << 3), 16));
    v128.store(out + ((<usize>e) << 2), v128.shuffle<i32>(low, high, 0, 1, 4, 5));
  }
}

/** Nanoseconds: the shortest preemption by a scheduler. A stretch takes 0.1 ms, a late wake-up 1 ms. */
const PATIENCE: i64 = 4_000_000;

/** k(x_t, ·) for columns from … to − 1, together with the helping threads. */
export function kernelRow(t: i32, from: i32, to: i32, row: usize): void {
  const jobs = <usize>at.jobs;
  const point = jobs + JOB_POINT;
  pointInto(t, point);
  const norm = real(<usize>at.norms, t);
  const first = from & ~7;
  const stretches = (to - first + STRETCH - 1) / STRETCH;
  if (stretches < 3 || !mayShare()) {
    for (let begin = first; begin < to; begin += STRETCH)
      kernelStretch(point, norm, begin, min(to, begin + STRETCH), row);
    return;
  }
  store<f64>(jobs, norm, JOB_NORM);
  store<i32>(jobs, first, JOB_FROM);
  store<i32>(jobs, to, JOB_TO);
  store<i32>(jobs, <i32>row, JOB_ROW);
  takeStretches(jobs, startJob(jobs, stretches));
  awaitTasks(jobs, PATIENCE);
}

/** Computes stretches of a job until none remain. */
function takeStretches(jobs: usize, job: i64): void {
  const first = load<i32>(jobs, JOB_FROM);
  const to = load<i32>(jobs, JOB_TO);
  const row = <usize>load<i32>(jobs, JOB_ROW);
  for (let stretch = takeTask(jobs, job); stretch >= 0; stretch = takeTask(jobs, job)) {
    const begin = first + stretch * STRETCH;
    kernelStretch(jobs + JOB_POINT, load<f64>(jobs, JOB_NORM), begin, min(to, begin + STRETCH), row);
    finishTask(jobs);
  }
}

/** A helping thread: computes stretches of rows until the solver has finished. */
export function help(): void {
  const jobs = <usize>at.jobs;
  for (let job = awaitJob(jobs, 0, scratch); job > 0; job = awaitJob(jobs, job, scratch))
    takeStretches(jobs, job);
}

// Index of the cache, 32-bit words: per point its slot (−1: none) [n]; per slot its point, its length, and its
// neighbours in the order of use [4 × slots]; the ends of that list are in slot number `slots`.
export const OWNER: i32 = 0;
export const LENGTH: i32 = 1;
const BEFORE: i32 = 2;
const AFTER: i32 = 3;

// @inline
export function slotEntry(slot: i32, what: i32): usize {
  return <usize>at.book + ((<usize>(n + slot * 4 + what)) << 2);
}

/** The slot of point t, or −1. */
// @inline
export function slotOf(t: i32): i32 {
  return load<i32>(<usize>at.book + ((<usize>t) << 2));
}
// @inline
export function setSlotOf(t: i32, slot: i32): void {
  store<i32>(<usize>at.book + ((<usize>t) << 2), slot);
}

// @inline
export function slotRow(slot: i32): usize {
  return <usize>at.rows + ((<usize>slot * <usize>((n + 7) & ~7)) << 2);
}

/** An empty cache, slots in ascending order. */
export function clearBook(): void {
  const slots = <i32>at.slots;
  for (let t: i32 = 0; t < n; t++) setSlotOf(t, -1);
  for (let slot: i32 = 0; slot <= slots; slot++) {
    store<i32>(slotEntry(slot, OWNER), -1);
    store<i32>(slotEntry(slot, LENGTH), 0);
    store<i32>(slotEntry(slot, BEFORE), slot == 0 ? slots : slot - 1);
    store<i32>(slotEntry(slot, AFTER), slot == slots ? 0 : slot + 1);
  }
}

/** Marks the slot as most recently used. */
function useSlot(slot: i32): void {
  const before = load<i32>(slotEntry(slot, BEFORE));
  const after = load<i32>(slotEntry(slot, AFTER));
  store<i32>(slotEntry(before, AFTER), after);
  store<i32>(slotEntry(after, BEFORE), before);
  const end = <i32>at.slots;
  const last = load<i32>(slotEntry(end, BEFORE));
  store<i32>(slotEntry(slot, BEFORE), last);
  store<i32>(slotEntry(slot, AFTER), end);
  store<i32>(slotEntry(last, AFTER), slot);
  store<i32>(slotEntry(end, BEFORE), slot);
}

/** A slot for point t: the least recently used one other than that of `keep`. */
function takeSlot(t: i32, keep: i32): i32 {
  let slot = load<i32>(slotEntry(<i32>at.slots, AFTER));
  const owner = load<i32>(slotEntry(slot, OWNER));
  if (owner >= 0 && owner == keep) slot = load<i32>(slotEntry(slot, AFTER));
  const previous = load<i32>(slotEntry(slot, OWNER));
  if (previous >= 0) {
    setSlotOf(previous, -1);
    at.evicted = 1;
  }
  store<i32>(slotEntry(slot, OWNER), t);
  store<i32>(slotEntry(slot, LENGTH), 0);
  setSlotOf(t, slot);
  return slot;
}

/**
 * k(x_t, x_s) for the active points s; never evicts the slot of `keep`. 0 if JavaScript must compute the row first: it is
 * requested, and available when the solver is called again.
 */
export function cachedRow(t: i32, keep: i32): usize {
  let slot = slotOf(t);
  if (slot < 0) slot = takeSlot(t, keep);
  useSlot(slot);
  const row = slotRow(slot);
  const length = load<i32>(slotEntry(slot, LENGTH));
  if (length >= active) return row;
  store<i32>(slotEntry(slot, LENGTH), active);
  if (at.length == 0) {
    at.wanted = <f64>t;
    at.wantedRow = <f64>row;
    return 0;
  }
  kernelRow(t, length, active, row);
  return row;
}
