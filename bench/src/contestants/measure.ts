import { readFileSync, writeFileSync } from "node:fs";
import type { Job, Measurement } from "../workload.js";

/** A field of /proc/self/status in bytes; outside Linux, the value that the process reports. */
function status(field: "VmRSS" | "VmHWM"): number {
  try {
    const line = new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync("/proc/self/status", "utf8"));
    return Number(line![1]) * 1024;
  } catch {
    return field === "VmRSS" ? process.memoryUsage.rss() : process.resourceUsage().maxRSS * 1024;
  }
}

/** Makes the high-water mark start again from now, so that reading the data does not count as fitting. */
function forgetPeak(): void {
  try {
    writeFileSync("/proc/self/clear_refs", "5");
  } catch {
    // Not Linux: the peak of the whole process, an upper bound.
  }
}

const now = () => performance.now() / 1000;

type Limits = Pick<Job, "minFits" | "minSeconds" | "budgetSeconds">;
type Times = Omit<Measurement, "version">;

/**
 * The clock of `timeFits`: the caller fits at every yield. The first fit is without any warming up, then come more until there are
 * enough of them and they took long enough, or the budget is spent. Memory is that of the first.
 */
function* clock(
  { minFits, minSeconds, budgetSeconds }: Limits,
  perCall: number,
): Generator<void, Times, void> {
  forgetPeak();
  const residentBefore = status("VmRSS");
  const start = now();
  yield;
  const cold = now() - start;
  const residentPeak = status("VmHWM");
  let best = cold;
  let fits = 1;
  const enough = () => {
    const spent = now() - start;
    return (fits >= minFits && spent >= minSeconds) || spent >= budgetSeconds;
  };
  while (!enough()) {
    const before = now();
    yield;
    best = Math.min(best, now() - before);
    fits++;
  }
  return {
    cold: cold / perCall,
    best: best / perCall,
    fits: fits * perCall,
    residentBefore,
    residentPeak,
  };
}

/** First and fastest fit. A call may do several fits (`perCall`): times are those of one. */
export function timeFits<R>(fit: () => R, limits: Limits, perCall = 1): { result: R } & Times {
  const times = clock(limits, perCall);
  times.next();
  for (;;) {
    const result = fit();
    const { done, value } = times.next();
    if (done) return { result, ...value };
  }
}

/** `timeFits` of a fit that returns a promise. */
export async function timeAsyncFits<R>(
  fit: () => Promise<R>,
  limits: Limits,
): Promise<{ result: R } & Times> {
  const times = clock(limits, 1);
  times.next();
  for (;;) {
    const result = await fit();
    const { done, value } = times.next();
    if (done) return { result, ...value };
  }
}

/** Sink of results, so that the engine cannot eliminate their computation. */
export const sink: { last?: unknown } = {};

/** Seconds of one call, for calls too short to time alone: the best mean of a batch. */
export function timeCalls(
  call: (i: number) => unknown,
  seconds: number,
): { cold: number; best: number; fits: number } {
  const first = now();
  sink.last = call(0);
  const cold = now() - first;
  const batch = 2000;
  const start = now();
  let best = Number.POSITIVE_INFINITY;
  let fits = 1;
  while (now() - start < seconds) {
    const before = now();
    for (let i = 0; i < batch; i++) sink.last = call(i);
    best = Math.min(best, (now() - before) / batch);
    fits += batch;
  }
  return { cold, best, fits };
}

export function residentNow(): Pick<Measurement, "residentBefore" | "residentPeak"> {
  return { residentBefore: status("VmRSS"), residentPeak: status("VmHWM") };
}

export function readJob(): Job {
  const path = process.argv[2];
  if (path === undefined) throw new Error("expected the path of a job file");
  return JSON.parse(readFileSync(path, "utf8")) as Job;
}

export function report(measurement: Measurement): void {
  process.stdout.write(`${JSON.stringify(measurement)}\n`);
}
