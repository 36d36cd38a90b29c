import { document as current, dispatch } from "../state/session.js";
import { runOf } from "../state/training.js";
import { modelName } from "./figures.js";

/** Which model is shown. Models of one name are told apart by their number. */
export function ModelPicker() {
  const { models, selected } = current.value;
  return (
    <label class="model-picker">
      Model
      <select
        value={selected ?? ""}
        onChange={(event) => dispatch({ type: "select", id: event.currentTarget.value })}
      >
        {models.map(({ id, estimator }, k) => {
          const { state } = runOf(id).value;
          const name = modelName(estimator);
          const twice = models.some((other) => other.id !== id && other.estimator === estimator);
          return (
            <option key={id} value={id}>
              {twice ? `${name} (${k + 1})` : name}
              {state === "done" ? "" : ` – ${state}`}
            </option>
          );
        })}
      </select>
    </label>
  );
}
