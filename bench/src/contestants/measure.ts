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

/**
 * The first fit without any warming up, then more until there are enough of them and they took long enough, or the budget
 * is spent. Memory is that of the first. A call may do several fits (`perCall`): times are those of one.
 */
export function timeFits<R>(
  fit: () => R,
  { minFits, minSeconds, budgetSeconds }: Pick<Job, "minFits" | "minSeconds" | "budgetSeconds">,
  perCall = 1,
): { result: R } & Omit<Measurement, "version"> {
  forgetPeak();
  const residentBefore = status("VmRSS");
  const start = now();
  let result = fit();
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
    result = fit();
    best = Math.min(best, now() - before);
    fits++;
  }
  return {
    result,
    cold: cold / perCall,
    best: best / perCall,
    fits: fits * perCall,
    residentBefore,
    residentPeak,
  };
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
