import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { modelLabel } from "../../state/model-names.js";
import { catalogue, document as current, dispatch, loadCatalogue } from "../../state/session.js";
import { runOf } from "../../state/training.js";

/** The form, which is loaded with the list of estimators that it is made of. */
const form = signal<typeof import("../../ui/fields/param-form.js") | null>(null);

function loadForm(): void {
  loadCatalogue();
  void import("../../ui/fields/param-form.js").then((loaded) => {
    form.value = loaded;
  });
}

/** The parameters of the selected model. */
export function ModelSettings({ id }: { readonly id: string }) {
  const { models } = current.value;
  const model = models.find((one) => one.id === id);
  useEffect(loadForm, []);
  const info = catalogue.value?.find((one) => one.id === model?.estimator);
  if (model === undefined) return null;
  const { state, message } = runOf(id).value;
  const ParamForm = form.value?.ParamForm;
  return (
    <section class="settings" aria-labelledby="settings-title">
      <h2 id="settings-title">{modelLabel(model, models)}: parameters</h2>
      {state === "failed" && <p class="problem">{message}</p>}
      {info === undefined || ParamForm === undefined ? (
        <p>Loading…</p>
      ) : (
        <ParamForm
          key={id}
          owner={id}
          params={info.params}
          values={model.params}
          onChange={(name, value) => dispatch({ type: "setParam", id, name, value })}
        />
      )}
    </section>
  );
}
