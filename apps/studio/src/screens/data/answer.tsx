import { modelName } from "../../state/model-names.js";
import { document as current, modelEntry, plane } from "../../state/session.js";
import { runOf } from "../../state/training.js";
import { BoundaryPicture } from "../../ui/pictures/boundary-picture.js";

const SIZE = 400;

/** What the selected model makes of painted or generated points. */
export function Answer() {
  const model = modelEntry(current.value.selected);
  if (model === undefined || plane.value === null) return null;
  const { grid, trained, state, message } = runOf(model.id).value;
  return (
    <figure class="paint-answer">
      <BoundaryPicture name={model.estimator} grid={grid} trained={trained} size={SIZE} radius={4} />
      <figcaption class="note">
        {state === "failed" ? (
          <span class="problem">{message}</span>
        ) : (
          `${modelName(model.estimator)} learns from these points.`
        )}
      </figcaption>
    </figure>
  );
}
