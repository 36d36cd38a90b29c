import type { MatrixLike } from "argmax/core";
import { selectRows, type Table } from "argmax/data";
import { structureOf, type Transform } from "argmax/structure";
import type { Model } from "../../estimators.js";
import type { Roles } from "../../protocol.js";
import type { Transformer } from "../../unwrapped.js";
import type { TrainingRows } from "../train.js";

/** What panels need to know besides the model. */
export interface About {
  readonly classes: readonly string[];
  readonly target: string;
  readonly isScaledTarget: boolean;
  /** Of columns of numbers; null where there are none. */
  readonly scale: "scaled" | "as they are" | null;
  readonly names: readonly string[];
  /** Rows of the table that were learned from. */
  readonly rows: Int32Array;
  /** The row to follow, as the last step reads it. */
  readonly row: MatrixLike | undefined;
  readonly labels: readonly (string | number)[] | undefined;
}

interface Given {
  readonly table: Table;
  readonly roles: Roles;
  readonly data: TrainingRows;
  /** The fitted steps before the last. */
  readonly before: readonly Transformer[];
  readonly isScaledTarget: boolean;
  /** A row of the table; null for none. */
  readonly row: number | null;
}

/** The same for all models that learn from these rows behind these steps; classes are those of each model. */
export function aboutOf({ table, roles, data, before, isScaledTarget, row }: Given): (model: Model) => About {
  const whole = table.select(roles.features);
  const hasNumbers = roles.features.some((name) => whole.column(name).kind === "numeric");
  const about: About = behind(before, {
    classes: [],
    target: roles.target ?? "",
    isScaledTarget,
    scale: hasNumbers ? "as they are" : null,
    names: roles.features,
    rows: data.rows,
    row: row === null ? undefined : selectRows(whole, [row]),
    labels: data.y,
  });
  return ({ classes = [] }) => ({ ...about, classes: classes.map(String) });
}

/** What is known behind some steps: their columns, and the row as they make it. */
export function behind(before: readonly Transformer[], about: About): About {
  const isScaled = before.some(scalesColumns);
  return {
    ...about,
    scale: about.scale !== null && isScaled ? "scaled" : about.scale,
    names: before.reduce((given, step) => step.featureNames?.(given) ?? given, about.names),
    row: about.row === undefined ? undefined : readRow(before, about.row),
  };
}

/** Whether a step, or a branch of it, scales columns. */
function scalesColumns(step: Transformer): boolean {
  const structure = structureOf(step);
  const isScaling = (part: Transform): boolean =>
    part.kind === "affine" ||
    (part.kind === "branches" && part.branches.some(({ steps }) => steps.some(isScaling)));
  return structure.kind === "transformer" && structure.steps.some(isScaling);
}

/** A row as the last step reads it; undefined where a step refuses it: a gap in a column that had none in training. */
function readRow(before: readonly Transformer[], row: MatrixLike): MatrixLike | undefined {
  try {
    return before.reduce<MatrixLike>((result, step) => step.transform(result), row);
  } catch {
    return undefined;
  }
}

/** In which units weights and distances are. */
export const unitsOf = ({ scale, isScaledTarget, target }: About): string =>
  scale === null
    ? ""
    : `Columns of numbers are ${scale === "scaled" ? "scaled" : "as they are in the table"}${isScaledTarget ? `, so is ${target}` : ""}.`;
