import type { ComponentChildren } from "preact";
import type { ModelEntry } from "../../state/document.js";
import { document as current, dispatch, modelEntry, tableProblem } from "../../state/session.js";
import { ModelPicker } from "./model-picker.js";

interface ModelScreenProps {
  readonly title: string;
  readonly class: string;
  readonly children: (model: ModelEntry) => ComponentChildren;
}

/** A screen about the selected model, with a way to another one; without a model, the way to the Bench. */
export function ModelScreen({ title, class: name, children }: ModelScreenProps) {
  const { models, selected } = current.value;
  const model = modelEntry(selected);
  return (
    <div class={name}>
      <div class="part-head">
        <h1>{title}</h1>
        {models.length > 0 && <ModelPicker />}
      </div>
      {tableProblem.value !== null && <p class="problem">{tableProblem.value}</p>}
      {model === undefined ? (
        <p>
          There is no model yet.{" "}
          <button type="button" onClick={() => dispatch({ type: "show", screen: "bench" })}>
            Add one in Bench
          </button>
        </p>
      ) : (
        children(model)
      )}
    </div>
  );
}
