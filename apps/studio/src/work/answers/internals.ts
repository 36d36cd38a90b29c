import { type Column, selectRows, type Table } from "argmax/data";
import type { Answer, Ask } from "../protocol.js";
import type { Context } from "./context.js";
import type { About } from "./internals/about.js";
import { panelsOf } from "./internals/panels.js";
import { type Parts, part } from "./internals/parts.js";
import { trainingRows } from "./train.js";

/** What a trained model consists of: weights, a tree, rounds, support vectors, neighbours, layers. */
export async function internals(
  { roles, model: key, row }: Ask<"internals">,
  { held }: Context<"internals">,
): Promise<Answer<"internals">> {
  const { loadModel } = await import("../all-estimators.js");
  const model = held.made(key, () => loadModel(held.get<Uint8Array>(key)) as unknown as Parts);
  const data = trainingRows(held.table(roles.table), roles);
  const steps = Array.isArray(model.steps) ? (model.steps as Parts[]) : [model];
  const end = steps.at(-1)!;
  const isScaledTarget = part(end, "regressor") !== undefined;
  const last = isScaledTarget ? end.regressor! : end;
  const before = steps.slice(0, -1) as unknown as {
    transform(x: unknown): unknown;
    toState(): State;
    featureNames?(given: readonly string[]): readonly string[];
  }[];
  const names = before.reduce<readonly string[]>(
    (given, step) => (typeof step.featureNames === "function" ? step.featureNames(given) : given),
    roles.features,
  );
  const whole = held.table(roles.table).select(roles.features as never[]) as unknown as Table;
  const about: About = {
    classes: (model.classes ?? []).map(String),
    target: roles.target ?? "",
    isScaledTarget,
    scale: !roles.features.some((name) => (whole.column(name as never) as Column).kind === "numeric")
      ? null
      : before.some((step) => isScaling(step.toState()))
        ? "scaled"
        : "as they are",
    names,
    rows: data.rows,
    row: row === null ? undefined : readRow(before, selectRows(whole, [row])),
    labels: data.y,
  };
  return panelsOf(last, about);
}

/** What a model file says of a step. */
interface State {
  readonly kind: string;
  readonly parts?: readonly State[];
}

/** Whether a step, or a part of it, scales columns. */
const isScaling = ({ kind, parts = [] }: State): boolean => kind.endsWith("Scaler") || parts.some(isScaling);

/** A row as the last step reads it; undefined where a step refuses it: a gap in a column that had none in training. */
function readRow(before: readonly { transform(x: unknown): unknown }[], row: unknown): unknown {
  try {
    return before.reduce((result, step) => step.transform(result), row);
  } catch {
    return undefined;
  }
}
