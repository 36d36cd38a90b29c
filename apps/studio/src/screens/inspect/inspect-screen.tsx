import { useComputed } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type Layer, layers } from "../../state/document.js";
import { document as current, dispatch, modelEntry, plane, task } from "../../state/session.js";
import { AxesPicker } from "../../ui/axes-picker.js";
import { modelName } from "../../ui/figures.js";
import { Legend } from "../../ui/legend.js";
import { ModelSettings } from "../bench/model-settings.js";
import { Boundary } from "./boundary.js";
import { Internals } from "./internals.js";
import "./inspect.css";
import { followSelected } from "./playback.js";
import { Scrubber } from "./scrubber.js";
import { WhatIf } from "./what-if.js";

/** One model in full: what it says everywhere, how it came to that, and what it consists of. */
export function InspectScreen() {
  const { models, selected } = current.value;
  const model = modelEntry(selected);
  useEffect(followSelected, []);
  if (model === undefined)
    return (
      <>
        <h1>Inspect</h1>
        <p>There is no model to look into: add one on the Bench.</p>
      </>
    );
  return (
    <div class="inspect">
      <header class="part-head">
        <h1>{modelName(model.estimator)}</h1>
        <label>
          Model{" "}
          <select
            value={model.id}
            onChange={(event) => dispatch({ type: "select", id: event.currentTarget.value })}
          >
            {models.map(({ id, estimator }) => (
              <option key={id} value={id}>
                {modelName(estimator)} ({id})
              </option>
            ))}
          </select>
        </label>
        <AxesPicker />
      </header>
      <section class="boundary" aria-label="What the model says everywhere">
        {plane.value === null ? (
          <p>Pictures need two columns of numbers among the features: choose them in Data.</p>
        ) : (
          <Boundary id={model.id} estimator={model.estimator} />
        )}
        <Scrubber />
        <Layers />
        <Legend />
      </section>
      <div class="inspect-side">
        <WhatIf id={model.id} />
        <Internals id={model.id} />
        <ModelSettings id={model.id} />
      </div>
    </div>
  );
}

const layerNames: { readonly [L in Layer]: string } = {
  probability: "How sure",
  contours: "Boundaries",
  margin: "Margins ±1",
  supportVectors: "Support vectors",
  points: "Rows",
  mistakes: "Mistakes",
};

function Layers() {
  const { layers: on } = current.value.view;
  const shown = useComputed(() =>
    layers.filter((layer) => task.value === "classification" || !/margin|support|mistakes/.test(layer)),
  );
  return (
    <fieldset class="layers">
      <legend>Layers</legend>
      {shown.value.map((layer) => (
        <label key={layer}>
          <input
            type="checkbox"
            checked={on[layer]}
            onChange={(event) => dispatch({ type: "setLayer", layer, on: event.currentTarget.checked })}
          />{" "}
          {layerNames[layer]}
        </label>
      ))}
    </fieldset>
  );
}
