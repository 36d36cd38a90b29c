import * as optimizers from "./optimizer-parts.js";
import type { Optimizer } from "./optimizers.js";
import * as schedules from "./schedule-parts.js";
import { isSchedule, type Schedule } from "./schedules.js";

/** Checks its options itself. */
type Factory<P> = (options: object) => P;
const factoriesOf = <P>(parts: object) => new Map(Object.entries(parts)) as ReadonlyMap<string, Factory<P>>;
const optimizerFactories = factoriesOf<Optimizer>(optimizers);
const scheduleFactories = factoriesOf<Schedule>(schedules);

export const optimizerNames: readonly string[] = [...optimizerFactories.keys()].sort();

/** An optimiser from its name, its JSON, or itself; undefined if it is anything else. */
export function readOptimizer(value: unknown): Optimizer | undefined {
  if (typeof value === "string") return optimizerFactories.get(value)?.({});
  if (value === null || typeof value !== "object") return undefined;
  if (typeof (value as Partial<Optimizer>).update === "function") return value as Optimizer;
  const { optimizer: name, schedule, ...options } = value as Record<string, unknown>;
  const factory = typeof name === "string" ? optimizerFactories.get(name) : undefined;
  if (schedule === undefined) return factory?.(options);
  const own = readSchedule(schedule);
  return own && factory?.({ ...options, schedule: own });
}

/** The same for a schedule. */
export function readSchedule(value: unknown): Schedule | undefined {
  if (typeof value === "string") return scheduleFactories.get(value)?.({});
  if (isSchedule(value)) return value;
  if (value === null || typeof value !== "object") return undefined;
  const { schedule: name, next, ...options } = value as Record<string, unknown>;
  const factory = typeof name === "string" ? scheduleFactories.get(name) : undefined;
  if (next === undefined) return factory?.(options);
  const own = readSchedule(next);
  return own && factory?.({ ...options, next: own });
}
