import type { FitReport } from "./contract.js";
import { maxOf } from "./numbers/extremes.js";
import type { Json, StateReader } from "./state/state.js";

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

/** The report of several fits as one: objectives are summed, of the rest the worst is kept. */
export function joinReports(reports: readonly FitReport[]): FitReport {
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const gaps = reports.flatMap(({ dualityGap }) => dualityGap ?? []);
  return {
    converged: reports.every(({ converged }) => converged),
    iterations: maxOf(reports.map(({ iterations }) => iterations)),
    objective: sum(reports.map(({ objective }) => objective)),
    gradientNorm: maxOf(reports.map(({ gradientNorm }) => gradientNorm)),
    ...(gaps.length === reports.length ? { dualityGap: sum(gaps) } : {}),
    solver: [...new Set(reports.map(({ solver }) => solver))].join(", "),
    warnings: [...new Set(reports.flatMap(({ warnings }) => warnings))],
  };
}
