import { d, nodeAt, problem } from "./problem";

/**
 * Columns that a node may be split by: those of interaction groups that contain every column on the path to it, and of these a random
 * proportion. Groups are lists of columns (32-bit): group g starts at starts[g]. Without groups all columns are allowed.
 */

/** Whether column j is allowed; `which` is 0 for the first and 1 for the second node of the job. */
// @inline
export function isAllowed(which: i32, j: i32): bool {
  return load<u8>(<usize>problem.allowed + <usize>which * <usize>d + <usize>j) != 0;
}

export function writeAllowed(which: i32, v: i32): void {
  const out = <usize>problem.allowed + <usize>which * <usize>d;
  const groups = <i32>problem.groupCount;
  memory.fill(out, groups == 0 ? 1 : 0, <usize>d);
  for (let g: i32 = 0; g < groups; g++) {
    if (!containsPath(g, v)) continue;
    const end = startOf(g + 1);
    for (let e = startOf(g); e < end; e++) store<u8>(out + <usize>member(e), 1);
  }
  if (problem.maxFeatures < 1) drawColumns(out);
}

// @inline
function startOf(g: i32): i32 {
  return load<i32>(<usize>problem.groupStarts + ((<usize>g) << 2));
}
// @inline
function member(e: i32): i32 {
  return load<i32>(<usize>problem.groupMembers + ((<usize>e) << 2));
}

/** Whether a group contains all columns on the path to node v. */
function containsPath(g: i32, v: i32): bool {
  for (let up = nodeAt(v).parent; up >= 0; up = nodeAt(up).parent)
    if (!contains(g, nodeAt(up).feature)) return false;
  return true;
}

function contains(g: i32, j: i32): bool {
  const end = startOf(g + 1);
  for (let e = startOf(g); e < end; e++) if (member(e) == j) return true;
  return false;
}

/** Keeps a random proportion `maxFeatures` of the marked columns, rounded up [selection sampling, Knuth 1969]. */
function drawColumns(marks: usize): void {
  let left: i32 = 0;
  for (let j: i32 = 0; j < d; j++) left += load<u8>(marks + <usize>j);
  let wanted = <i32>Math.ceil(problem.maxFeatures * <f64>left);
  for (let j: i32 = 0; j < d; j++) {
    if (load<u8>(marks + <usize>j) == 0) continue;
    if (draw() * <f64>left < <f64>wanted) wanted--;
    else store<u8>(marks + <usize>j, 0);
    left--;
  }
}

/** A random number in [0, 1) [Marsaglia 2003, xorshift]. */
function draw(): f64 {
  let s = <u32>problem.seed;
  s ^= s << 13;
  s ^= s >> 17;
  s ^= s << 5;
  problem.seed = <f64>s;
  return <f64>s / 4294967296;
}
