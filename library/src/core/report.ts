import type { FitReport } from "./contract.js";
import type { Json, StateReader } from "./state.js";

/** How reports are saved with a model. */
export function reportJson(report: FitReport): Json {
  const { dualityGap, ...rest } = report;
  return { ...rest, ...(dualityGap === undefined ? {} : { dualityGap }), warnings: [...report.warnings] };
}

const isReport = (value: unknown): value is FitReport =>
  typeof value === "object" &&
  value !== null &&
  typeof (value as FitReport).converged === "boolean" &&
  typeof (value as FitReport).iterations === "number" &&
  typeof (value as FitReport).solver === "string" &&
  Array.isArray((value as FitReport).warnings);

export function readReport(reader: StateReader): FitReport {
  return reader.value("report", "a fit report", isReport);
}
