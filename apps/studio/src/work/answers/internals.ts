import type { FittedTransformedTargetRegressor } from "argmax/meta";
import { type Structure, structureOf } from "argmax/structure";
import type { Answer, Ask } from "../protocol.js";
import type { Context } from "./context.js";
import { aboutOf } from "./internals/about.js";
import { lastStep } from "./internals/members.js";
import { panelsOf } from "./internals/panels.js";
import { viewAs } from "./internals/view.js";
import { trainingRows } from "./train.js";

/** What a trained model consists of: weights, a tree, rounds, support vectors, neighbours, layers. */
export async function internals(
  { roles, model: key, row }: Ask<"internals">,
  { held }: Context<"internals">,
): Promise<Answer<"internals">> {
  const model = await held.model(key);
  const table = held.table(roles.table);
  const { last: end, before } = lastStep(model);
  const isScaledTarget = isScaled(structureOf(end));
  const about = aboutOf({
    table,
    roles,
    data: trainingRows(table, roles),
    before,
    isScaledTarget,
    row,
  });
  const inner = isScaledTarget && viewAs<FittedTransformedTargetRegressor>(end, "regressor")?.regressor;
  return panelsOf(inner || end, about(model));
}

/** Whether a model predicts a target that was scaled. */
const isScaled = (structure: Structure): boolean =>
  structure.kind === "regressor" &&
  typeof structure.link === "object" &&
  structure.link.inverseOf.every(({ kind }) => kind === "affine");
