import { useComputed } from "@preact/signals";
import { document as current, dispatch, targetColumn, task } from "../../state/session.js";
import { cancel, retry, runOf } from "../../state/training.js";
import { bytes, fixed, milliseconds, modelName } from "../../ui/figures.js";
import { clustersText } from "./clusters.js";
import { type Standing, standings } from "./standings.js";

/** Models from the best on, with intervals; those that are not worse beyond chance are bracketed. */
export function Leaderboard() {
  const rows = useComputed(() => {
    const { models } = current.value;
    return standings(
      models,
      models.map(({ id }) => runOf(id).value),
    );
  });
  const isClustering = task.value === "clustering";
  const measured = task.value === "regression" ? "R², held out" : "Accuracy, held out";
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keys
    <section class="scroll" tabIndex={0} aria-label="Scores">
      <table class="board">
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col">{isClustering ? "Found" : measured}</th>
            <th scope="col">Fit</th>
            <th scope="col">Per row</th>
            <th scope="col">Size</th>
            <th scope="col">
              <span class="unseen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.value.map((row) => (
            <Row key={row.model.id} {...row} />
          ))}
        </tbody>
      </table>
      <p class="note">
        {isClustering ? (
          "Without a target nothing says which clusters are right: Evaluate shows how well they are apart."
        ) : (
          <>
            <Baseline />
            Means over held-out folds ± 95 % intervals. ┃ marks models that are not worse than the best beyond
            chance; ★ is the cheapest of them.
          </>
        )}
      </p>
    </section>
  );
}

/** What a model without features would score. */
function Baseline() {
  const share = useComputed(() => {
    const target = targetColumn.value;
    if (task.value !== "classification" || target?.kind !== "category") return undefined;
    const counts = new Map<number, number>();
    for (const code of target.codes) if (code >= 0) counts.set(code, (counts.get(code) ?? 0) + 1);
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const [code, most] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a), [-1, 0]);
    return total === 0 ? undefined : { name: target.levels[code]!, value: most / total };
  });
  if (task.value === "regression") return <>Always answering the mean scores about 0. </>;
  if (share.value === undefined) return null;
  return (
    <>
      Always answering “{share.value.name}” scores {share.value.value.toFixed(3)}.{" "}
    </>
  );
}

function Row({ model, run, mean, margin, tied, recommended }: Standing) {
  const { id, estimator } = model;
  const isSelected = current.value.selected === id;
  const name = modelName(estimator);
  const { state, progress, stage, trained, message, stopped } = run;
  const active = state === "running" || state === "queued";
  return (
    <tr class={isSelected ? "selected" : undefined}>
      <th scope="row">
        <div class="board-name">
          <span
            class={tied ? "bracket tied" : "bracket"}
            title={tied ? "not worse than the best beyond chance" : undefined}
          />
          <button
            type="button"
            class="link"
            aria-pressed={isSelected}
            onClick={() => dispatch({ type: "select", id })}
          >
            {name}
          </button>
          {recommended && (
            <span class="star" title="The cheapest of the models that are not worse than the best">
              {" "}
              ★<span class="unseen">recommended</span>
            </span>
          )}
        </div>
      </th>
      <td>
        {active ? (
          <progress max={1} value={progress ?? undefined} aria-label={`${name}: ${stage || "waiting"}`} />
        ) : state === "failed" ? (
          <span class="problem">{message}</span>
        ) : state === "cancelled" ? (
          "cancelled"
        ) : stopped !== "" ? (
          `stopped ${stopped}, usable`
        ) : trained?.task === "clustering" ? (
          clustersText(trained)
        ) : mean === undefined ? (
          "–"
        ) : (
          <>
            {fixed(mean, 3)}
            {margin !== undefined && <span class="interval"> ± {margin.toFixed(3)}</span>}
          </>
        )}
      </td>
      <td>{trained ? milliseconds(trained.fitMilliseconds) : ""}</td>
      <td>{trained ? milliseconds(trained.predictMicroseconds / 1000) : ""}</td>
      <td>{trained ? bytes(trained.file.length) : ""}</td>
      <td class="actions">
        {active ? (
          <button type="button" onClick={() => cancel(id)} aria-label={`Cancel ${name}`}>
            Cancel
          </button>
        ) : state === "cancelled" || state === "failed" || stopped !== "" ? (
          <button type="button" onClick={() => retry(id)} aria-label={`Train ${name} again`}>
            Retry
          </button>
        ) : null}
        <button
          type="button"
          class="quiet"
          aria-label={`Remove ${name}`}
          onClick={() => dispatch({ type: "removeModel", id })}
        >
          ×
        </button>
      </td>
    </tr>
  );
}
