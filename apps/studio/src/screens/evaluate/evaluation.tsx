import "./evaluate.css";
import { modelLabel } from "../../state/model-names.js";
import { document as current, table } from "../../state/session.js";
import { retry, runOf } from "../../state/training.js";
import { ModelScreen } from "../../ui/models/model-screen.js";
import { NotTrained } from "../../ui/models/not-trained.js";
import { ClassEvaluation } from "./class-evaluation.js";
import { ClusterEvaluation } from "./cluster-evaluation.js";
import { ValueEvaluation } from "./value-evaluation.js";

/** How good a model is on rows that it has not learned from, and what to decide from its scores. */
export function Evaluation() {
  return (
    <ModelScreen title="Evaluate" class="evaluate">
      {(model) => <OneModel key={model.id} id={model.id} name={modelLabel(model, current.value.models)} />}
    </ModelScreen>
  );
}

function OneModel({ id, name }: { readonly id: string; readonly name: string }) {
  const { state, trained, stopped } = runOf(id).value;
  if (trained === undefined || state !== "done" || table.value === null)
    return <NotTrained id={id} name={name} />;
  if (stopped !== "")
    return (
      <p>
        The training of {name} was stopped {stopped}, so there is nothing to judge it by.{" "}
        <button type="button" onClick={() => retry(id)}>
          Train again
        </button>
      </p>
    );
  if (trained.held === null || trained.held.rows.length === 0)
    return <p>No row was held out, so there is nothing to judge {name} by: choose folds in Data.</p>;
  if (trained.task === "clustering") return <ClusterEvaluation id={id} held={trained.held} />;
  if (trained.task === "regression") return <ValueEvaluation id={id} held={trained.held} />;
  return <ClassEvaluation id={id} trained={trained} held={trained.held} />;
}
