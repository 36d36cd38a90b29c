import { closeTeam, joinTeam, openTeam } from "../shared/team";
import { gradientsInto, softmaxGradientsInto } from "./boosting/gradients";
import {
  forgetSearches,
  growTree,
  needsHistogram,
  searchGiven,
  searchRoot,
  splitApart,
} from "./boosting/grow";
import { addColumn } from "./boosting/histogram";
import { help } from "./boosting/jobs";
import { d, enter, nodeAt, problem, rowBytes, slotAt } from "./boosting/problem";
import { leafBelow } from "./boosting/routes";
import { quantileOf } from "./boosting/select";
import { sortDoubles } from "./boosting/sort";
import { ChunkLoss, SORT_COUNT_BYTES, STRIDE } from "./boosting.layout";

export { treeSums } from "../shared/packed-trees";
export { abandonTeam, allowSleep } from "../shared/team";
export { boostBins } from "./boosting/bins";
export { addBlock, addBlockScores, packBlock } from "./boosting/blocks";

/**
 * Gradient boosting of trees on binned columns [Friedman 2001; Ke et al. 2017; Chen & Guestrin 2016]. A tree grows best first, by gain.
 * Histograms of gradients and hessians are built for the smaller child; that of the larger child is the difference to the parent's.
 */

/** Resets the team before a tree is grown. */
export function boostOpen(address: usize): void {
  enter(address, 0);
  openTeam(<usize>problem.jobs);
}

/** Grows one tree from `gradients`. A chunk is a thread: thread 0 leads; the others take tasks of its jobs. */
export function boostGrow(address: usize, chunk: i32): void {
  enter(address, chunk);
  forgetSearches();
  joinTeam(<usize>problem.jobs);
  if (chunk > 0) {
    help();
    return;
  }
  growTree();
  closeTeam(<usize>problem.jobs);
}

/** Begins a tree whose histograms are summed elsewhere: that of the root is in a slot, and its best split is found. */
export function boostRoot(address: usize, slot: i32): void {
  enter(address, 0);
  searchRoot(slot);
}

/** Copies a histogram to a slot, or adds it to the one that is there. */
export function boostGive(address: usize, from: usize, slot: i32, isFirst: i32): void {
  enter(address, 0);
  const out = slotAt(slot);
  if (isFirst != 0) memory.copy(out, from, rowBytes * STRIDE);
  else for (let j: i32 = 0; j < d; j++) addColumn(j, from, out);
}

/** Adds the children of node v by its best split. Returns 1 if the left one may be split, plus 2 if the right one may be. */
export function boostSplit(address: usize, v: i32): i32 {
  enter(address, 0);
  splitApart(v);
  const left = nodeAt(v).left;
  return (needsHistogram(left) ? 1 : 0) + (needsHistogram(left + 1) ? 2 : 0);
}

/**
 * Finds the best splits of up to two children of a node (−1: not needed). The histogram of one of them is in slot `built`; that of `larger`
 * is the rest of its parent's in `parentSlot`, unless this is −1.
 */
export function boostSearch(address: usize, larger: i32, smaller: i32, built: i32, parentSlot: i32): void {
  enter(address, 0);
  searchGiven(larger, smaller, built, parentSlot);
}

/** Sets the value of node `chunk`, if it is a leaf, to `rate` times the quantile of its rows' residuals y − z. */
export function boostRevalue(address: usize, y: usize, z: usize, q: f64, rate: f64, chunk: i32): void {
  enter(address, 0);
  const node = nodeAt(chunk);
  if (node.left != 0) return;
  const rows = <usize>problem.rows;
  // The integer gradients are no longer needed: their memory holds the residuals of the leaf.
  const list = <usize>problem.packed + ((<usize>node.start) << 4);
  for (let e = node.start; e < node.stop; e++) {
    const i = (<usize>load<i32>(rows + ((<usize>e) << 2))) << 3;
    store<f64>(list + ((<usize>(e - node.start)) << 3), load<f64>(y + i) - load<f64>(z + i));
  }
  node.value = rate * quantileOf(list, node.stop - node.start, q);
}

/** Adds the value of node `chunk`, if it is a leaf, to the raw predictions z of its rows. */
export function boostUpdate(address: usize, z: usize, chunk: i32): void {
  enter(address, 0);
  const node = nodeAt(chunk);
  if (node.left != 0) return;
  const value = node.value;
  const rows = <usize>problem.rows;
  for (let e = node.start; e < node.stop; e++) {
    const place = z + ((<usize>load<i32>(rows + ((<usize>e) << 2))) << 3);
    store<f64>(place, load<f64>(place) + value);
  }
}

/** Adds the tree's values to the raw predictions z of held-out rows, given by their bins. */
export function predictHeldOut(
  address: usize,
  rowBins: usize,
  count: i32,
  z: usize,
  rows: i32,
  chunk: i32,
): void {
  enter(address, 0);
  const end = min(count, (chunk + 1) * rows);
  for (let i = chunk * rows; i < end; i++) {
    const row = rowBins + <usize>i * rowBytes;
    const place = z + ((<usize>i) << 3);
    store<f64>(place, load<f64>(place) + nodeAt(leafBelow(0, row)).value);
  }
}

/** Loss, gradients and hessians of a chunk of `rows` rows; see gradients.ts. K = 1, or the number of classes. */
export function boostGradients(
  loss: i32,
  q: f64,
  K: i32,
  count: i32,
  stride: i32,
  y: usize,
  z: usize,
  weights: usize,
  gradients: usize,
  sums: usize,
  rows: i32,
  chunk: i32,
): void {
  const from = chunk * rows;
  const to = min(count, from + rows);
  const out = changetype<ChunkLoss>(sums + <usize>chunk * offsetof<ChunkLoss>());
  if (K > 1) softmaxGradientsInto(K, stride, from, to, y, z, weights, gradients, out);
  else gradientsInto(loss, q, from, to, y, z, weights, gradients, out);
}

/** Sorts the first lengths[chunk] doubles of list `chunk`; lists are `room` doubles apart. */
export function boostSort(lists: usize, room: i32, lengths: usize, work: usize, chunk: i32): void {
  const length = load<i32>(lengths + ((<usize>chunk) << 2));
  const place = lists + ((<usize>chunk * <usize>room) << 3);
  const own = work + <usize>chunk * (((<usize>room) << 3) + SORT_COUNT_BYTES);
  sortDoubles(place, length, own + SORT_COUNT_BYTES, own);
}
