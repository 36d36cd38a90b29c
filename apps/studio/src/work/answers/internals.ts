import { type Structure, structureOf } from "argmax/structure";
import type { Answer, Ask } from "../protocol.js";
import type { Transformer } from "../unwrapped.js";
import type { Context } from "./context.js";
import { aboutOf } from "./internals/about.js";
import { panelsOf } from "./internals/panels.js";
import type { Parts } from "./internals/parts.js";
import { trainingRows } from "./train.js";

/** What a trained model consists of: weights, a tree, rounds, support vectors, neighbours, layers. */
export async function internals(
  { roles, model: key, row }: Ask<"internals">,
  { held }: Context<"internals">,
): Promise<Answer<"internals">> {
  const { loadModel } = await import("../all-estimators.js");
  const model = held.made(key, () => loadModel(held.get<Uint8Array>(key)) as unknown as Parts);
  const table = held.table(roles.table);
  const steps = Array.isArray(model.steps) ? (model.steps as Parts[]) : [model];
  const end = steps.at(-1)!;
  const isScaledTarget = isScaled(structureOf(end));
  const about = aboutOf({
    table,
    roles,
    data: trainingRows(table, roles),
    before: steps.slice(0, -1) as unknown as readonly Transformer[],
    isScaledTarget,
    row,
  });
  return panelsOf(isScaledTarget ? end.regressor! : end, about(model));
}

/** Whether a model predicts a target that was scaled. */
const isScaled = (structure: Structure): boolean =>
  structure.kind === "regressor" &&
  typeof structure.link === "object" &&
  structure.link.inverseOf.every(({ kind }) => kind === "affine");
