import { modelLabel } from "../../state/model-names.js";
import { document as current, dispatch } from "../../state/session.js";
import { runOf } from "../../state/training.js";

/** Which model is shown. */
export function ModelPicker() {
  const { models, selected } = current.value;
  return (
    <label class="model-picker">
      Model{" "}
      <select
        value={selected ?? ""}
        onChange={(event) => dispatch({ type: "select", id: event.currentTarget.value })}
      >
        {models.map((model) => {
          const { state } = runOf(model.id).value;
          return (
            <option key={model.id} value={model.id}>
              {modelLabel(model, models)}
              {state === "done" ? "" : ` – ${state}`}
            </option>
          );
        })}
      </select>
    </label>
  );
}
