import { Problem } from "../smo.layout";

// Globals of the module instance, set on entry: AssemblyScript passes no structures.
export let at: Problem = changetype<Problem>(0);
export let x: usize = 0;
export let n: i32 = 0;
export let d: i32 = 0;
export let variablesPerPoint: i32 = 0;
export let y: usize = 0;
export let upper: usize = 0;
export let alpha: usize = 0;
export let f: usize = 0;
export let diagonal: usize = 0;
export let active: i32 = 0;
/** 32-bit marks: 0 where y α may increase (decrease), else −∞. Added to the maximised quantity, they exclude all other variables. */
export let mayRise: usize = 0;
export let mayFall: usize = 0;
/** Scratch memory of this thread. */
export let scratch: usize = 0;

export function enter(problem: usize, thread: i32): void {
  at = changetype<Problem>(problem);
  x = <usize>at.x;
  n = <i32>at.n;
  d = <i32>at.d;
  variablesPerPoint = <i32>at.variablesPerPoint;
  y = <usize>at.y;
  upper = <usize>at.upper;
  alpha = <usize>at.alpha;
  f = <usize>at.f;
  diagonal = <usize>at.diagonal;
  active = <i32>at.active;
  mayRise = <usize>at.mayRise;
  mayFall = <usize>at.mayFall;
  scratch = <usize>at.scratch + <usize>thread * <usize>at.scratchBytes;
}

export function setActive(count: i32): void {
  active = count;
  at.active = <f64>count;
}
