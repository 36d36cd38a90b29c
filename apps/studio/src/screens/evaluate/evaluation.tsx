import "./evaluate.css";
import { document as current, dispatch, runOf, table, tableProblem } from "../../state/session.js";
import { modelName } from "../../ui/figures.js";
import { ModelPicker } from "../../ui/model-picker.js";
import { NotTrained } from "../../ui/not-trained.js";
import { ClassEvaluation } from "./class-evaluation.js";
import { ClusterEvaluation } from "./cluster-evaluation.js";
import { ValueEvaluation } from "./value-evaluation.js";

/** How good a model is on rows that it has not learned from, and what to decide from its scores. */
export function Evaluation() {
  const { models, selected } = current.value;
  const model = models.find(({ id }) => id === selected);
  return (
    <div class="evaluate">
      <div class="part-head">
        <h1>Evaluate</h1>
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
        <OneModel key={model.id} id={model.id} name={modelName(model.estimator)} />
      )}
    </div>
  );
}

function OneModel({ id, name }: { readonly id: string; readonly name: string }) {
  const { state, trained } = runOf(id).value;
  if (trained === undefined || state !== "done" || table.value === null)
    return <NotTrained id={id} name={name} />;
  if (trained.held === null || trained.held.rows.length === 0)
    return <p>No row was held out, so there is nothing to judge {name} by: choose folds in Data.</p>;
  if (trained.task === "clustering") return <ClusterEvaluation id={id} held={trained.held} />;
  if (trained.task === "regression") return <ValueEvaluation id={id} held={trained.held} />;
  return <ClassEvaluation id={id} trained={trained} held={trained.held} />;
}
