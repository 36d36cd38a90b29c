import * as optimizers from "./optimizer-parts.js";
import type { Optimizer } from "./optimizers.js";
import * as schedules from "./schedule-parts.js";
import { isSchedule, type Schedule } from "./schedules.js";

type Factory<P> = (options: never) => P;
const optimizerFactories: ReadonlyMap<string, Factory<Optimizer>> = new Map(Object.entries(optimizers));
const scheduleFactories: ReadonlyMap<string, Factory<Schedule>> = new Map(Object.entries(schedules));

export const optimizerNames: readonly string[] = [...optimizerFactories.keys()].sort();

/** An optimiser from its name, its JSON, or itself; undefined if it is anything else. */
export function readOptimizer(value: unknown): Optimizer | undefined {
  if (typeof value === "string") return optimizerFactories.get(value)?.({} as never);
  if (value === null || typeof value !== "object") return undefined;
  if (typeof (value as Partial<Optimizer>).update === "function") return value as Optimizer;
  const { optimizer: name, schedule, ...options } = value as Record<string, unknown>;
  const factory = typeof name === "string" ? optimizerFactories.get(name) : undefined;
  if (schedule === undefined) return factory?.(options as never);
  const own = readSchedule(schedule);
  return own && factory?.({ ...options, schedule: own } as never);
}

/** The same for a schedule. */
export function readSchedule(value: unknown): Schedule | undefined {
  if (typeof value === "string") return scheduleFactories.get(value)?.({} as never);
  if (isSchedule(value)) return value;
  if (value === null || typeof value !== "object") return undefined;
  const { schedule: name, next, ...options } = value as Record<string, unknown>;
  const factory = typeof name === "string" ? scheduleFactories.get(name) : undefined;
  if (next === undefined) return factory?.(options as never);
  const own = readSchedule(next);
  return own && factory?.({ ...options, next: own } as never);
}
