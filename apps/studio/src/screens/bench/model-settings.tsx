import { useEffect } from "preact/hooks";
import { catalogue, document as current, dispatch, loadCatalogue } from "../../state/session.js";
import { runOf } from "../../state/training.js";
import { modelName } from "../../ui/figures.js";
import { ParamForm } from "../../ui/param-form.js";

/** The parameters of the selected model. */
export function ModelSettings({ id }: { readonly id: string }) {
  const model = current.value.models.find((one) => one.id === id);
  useEffect(loadCatalogue, []);
  const info = catalogue.value?.find((one) => one.id === model?.estimator);
  if (model === undefined) return null;
  const { state, message } = runOf(id).value;
  return (
    <section class="settings" aria-labelledby="settings-title">
      <h2 id="settings-title">{modelName(model.estimator)}: parameters</h2>
      {state === "failed" && <p class="problem">{message}</p>}
      {info === undefined ? (
        <p>Loading…</p>
      ) : (
        <ParamForm
          key={id}
          params={info.params}
          values={model.params}
          onChange={(name, value) => dispatch({ type: "setParam", id, name, value })}
        />
      )}
    </section>
  );
}
