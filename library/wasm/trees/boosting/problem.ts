import { Candidate, CHUNK_BYTES, Node, PANEL_COLUMNS, Problem, STRIDE } from "../boosting.layout";
import { setUnits } from "./units";

export let problem: Problem = changetype<Problem>(0);
export let n: i32 = 0;
export let d: i32 = 0;
/** Bytes of a row's bins: columns, rounded up to panels of eight. */
export let rowBytes: usize = 0;
/** Index of this thread; 0 is the leader. */
export let thread: i32 = 0;

export function enter(address: usize, own: i32): void {
  problem = changetype<Problem>(address);
  n = <i32>problem.n;
  d = <i32>problem.d;
  rowBytes = <usize>((d + PANEL_COLUMNS - 1) & ~(PANEL_COLUMNS - 1));
  thread = own;
  setUnits(problem);
}

// @inline
export function nodeAt(v: i32): Node {
  return changetype<Node>(<usize>problem.nodes + <usize>v * offsetof<Node>());
}

// @inline
export function candidateAt(e: i32): Candidate {
  return changetype<Candidate>(<usize>problem.candidates + <usize>e * offsetof<Candidate>());
}

// @inline
export function slotAt(slot: i32): usize {
  return <usize>problem.slots + <usize>slot * (rowBytes * STRIDE);
}

/** The histogram of a helping thread. */
// @inline
export function partialAt(helper: i32): usize {
  return <usize>problem.partials + <usize>(helper - 1) * (rowBytes * STRIDE);
}

/** This thread's buffer for a chunk of rows. */
// @inline
export function chunkBuffer(): usize {
  return <usize>problem.chunks + <usize>thread * CHUNK_BYTES;
}
