import { Task } from "../trees.layout";

/** X, targets and weights of the rows, which are those of the task or, for a small node, copies; see local.ts. */
export let x: usize = 0;
export let stride: usize = 0;
export let codes: usize = 0;
export let targets: usize = 0;
export let weights: usize = 0;
/** Whether there are several targets, and how many doubles a row has of them; see several.ts. */
export let several: bool = false;
export let targetLanes: usize = 1;

export function openData(task: Task): void {
  useRows(<usize>task.x, <usize>task.stride, <usize>task.codes, <usize>task.targets, <usize>task.weights);
  several = task.several != 0;
  targetLanes = several ? (<usize>task.classes + 1) & ~1 : 1;
}

// Those of the task, while copies are in use.
let allValues: usize = 0;
let allStride: usize = 0;
let allCodes: usize = 0;
let allTargets: usize = 0;
let allWeights: usize = 0;

/** Switches to copies of some rows, which are numbered from 0. */
export function useCopies(
  values: usize,
  apart: usize,
  classCodes: usize,
  numbers: usize,
  rowWeights: usize,
): void {
  allValues = x;
  allStride = stride;
  allCodes = codes;
  allTargets = targets;
  allWeights = weights;
  useRows(values, apart, classCodes, numbers, rowWeights);
}

/** Switches back to the rows of the task. */
export function useAllRows(): void {
  useRows(allValues, allStride, allCodes, allTargets, allWeights);
}

function useRows(values: usize, apart: usize, classCodes: usize, numbers: usize, rowWeights: usize): void {
  x = values;
  stride = apart;
  codes = classCodes;
  targets = numbers;
  weights = rowWeights;
}

// @inline
export function weightOf(row: usize): f64 {
  return weights == 0 ? 1 : load<f64>(weights + (row << 3));
}
// @inline
export function codeOf(row: usize): i32 {
  return <i32>load<u16>(codes + (row << 1));
}
// @inline
export function targetOf(row: usize): f64 {
  return load<f64>(targets + (row << 3));
}
