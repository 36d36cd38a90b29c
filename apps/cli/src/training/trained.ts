import { modelLabel, modelSettings } from "argmax";
import { showWritten, type Written } from "../model-output.js";
import { showDuration } from "../terminal/duration.js";
import type { Terminal } from "../terminal/terminal.js";

/** The score on rows that a model has not learned from. */
export interface HeldOut {
  readonly scoring: "accuracy" | "r2";
  readonly score: number;
  readonly testRows: number;
}

/** A model that was trained and saved. */
interface Trained {
  readonly id: string;
  readonly estimator: object;
  readonly model: object;
  readonly written: Written;
  readonly milliseconds: number;
  readonly rows: number;
  readonly held: HeldOut | undefined;
  /** Command lines to try next. */
  readonly next: readonly string[];
}

export function reportTrained(trained: Trained, terminal: Terminal): void {
  const { id, estimator, model, written, milliseconds, rows, held, next } = trained;
  const warnings = warningsOf(model);
  terminal.emit({
    type: "trained",
    model: id,
    settings: modelSettings(estimator),
    path: written.path,
    bytes: written.bytes,
    ...(written.kept && { kept: written.kept.path }),
    seconds: milliseconds / 1000,
    rows,
    ...held,
    warnings,
  });
  for (const warning of warnings) terminal.note(warning);
  const about = `${modelLabel(id, estimator)} on ${rows} rows in ${showDuration(milliseconds)}, ${showWritten(written)}`;
  const hints = next.length > 0 ? ["", ...next] : [];
  terminal.print([...(held ? [heldOut(held)] : []), about, ...hints].join("\n"));
}

const heldOut = ({ scoring, score, testRows }: HeldOut): string =>
  `${scoring === "r2" ? "R²" : "accuracy"} ${score.toFixed(4)} on ${testRows} rows that were held out.`;

/** What fit reports, as of a solver that has not converged. */
const warningsOf = (model: object): readonly string[] =>
  (model as { readonly report?: { readonly warnings?: readonly string[] } }).report?.warnings ?? [];
