import type { ComponentChildren } from "preact";
import { baseline } from "../../state/baseline.js";
import { type BoardColumn, limits } from "../../state/document.js";
import { modelLabel, modelName, settingsOrId } from "../../state/model-names.js";
import { document as current, dispatch, task } from "../../state/session.js";
import type { Standing } from "../../state/standings.js";
import { cancel, retry } from "../../state/training.js";
import { bytes, fixed, milliseconds } from "../../ui/figures.js";
import { boardRows, reason, tick } from "../../ui/models/board.js";
import { ScrollRegion } from "../../ui/table-parts.js";
import { clustersText } from "./clusters.js";

/** Models with their parameters and the intervals of their scores; those that are tied with the best are bracketed. */
export function Leaderboard() {
  const isClustering = task.value === "clustering";
  const measured = task.value === "regression" ? "R², held out" : "Accuracy, held out";
  return (
    <ScrollRegion label="Scores">
      <table class="board">
        <thead>
          <tr>
            <th scope="col">
              <span class="unseen">Compare</span>
            </th>
            <SortHead by="name">Model</SortHead>
            {isClustering ? <th scope="col">Found</th> : <SortHead by="score">{measured}</SortHead>}
            <SortHead by="fit">Fit</SortHead>
            <SortHead by="predict">Per row</SortHead>
            <SortHead by="size">Size</SortHead>
            <th scope="col">
              <span class="unseen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {boardRows.value.map((row) => (
            <Row key={row.model.id} {...row} />
          ))}
        </tbody>
      </table>
      <p class="note">
        {isClustering ? (
          "Without a target no clustering is right or wrong: Evaluate shows how well the clusters are separated."
        ) : (
          <>
            <BaselineText />
            Means over held-out folds ± 95 % intervals. ┃ marks models that are tied with the best: at most
            one standard error behind it on the same folds and 5 % of its lead over a constant answer, or at
            most 1 % of that lead. {reason.value !== "" && <>★ {reason.value}</>}
          </>
        )}
      </p>
    </ScrollRegion>
  );
}

/** The head of a column: pressed once it sorts from the best on, twice the other way round. */
function SortHead({ by, children }: { readonly by: BoardColumn; readonly children: ComponentChildren }) {
  const { sort, reversed } = current.value.board;
  // The best score is the largest one, the best time the smallest.
  const ascends = (by === "score") === reversed;
  const direction = ascends ? "ascending" : "descending";
  return (
    <th scope="col" aria-sort={sort === by ? direction : undefined}>
      <button type="button" class="sort" onClick={() => dispatch({ type: "sortBoard", by })}>
        {children}
        <span aria-hidden="true">{sort !== by ? "" : ascends ? " ▲" : " ▼"}</span>
      </button>
    </th>
  );
}

/** What a model without features would score. */
function BaselineText() {
  if (baseline.value === undefined) return null;
  const { name, score } = baseline.value;
  if (name === undefined) return <>Always answering the mean scores about 0. </>;
  return (
    <>
      Always answering “{name}” scores {score.toFixed(3)}.{" "}
    </>
  );
}

function Row(standing: Standing) {
  const { model, run } = standing;
  const { id } = model;
  const { models, board, selected } = current.value;
  const name = modelLabel(model, models);
  const isCompared = board.compared.includes(id);
  const { state, trained, stopped } = run;
  // Others say in the place of their figures what became of them.
  const hasFigures = state === "done" || state === "waiting";
  return (
    <tr class={selected === id ? "selected" : undefined}>
      <td class="tick">
        <input
          type="checkbox"
          aria-label={`Compare ${name}`}
          checked={isCompared}
          disabled={!isCompared && board.compared.length >= limits.compared}
          onChange={() => tick(id)}
        />
      </td>
      <NameCell {...standing} />
      <td colSpan={hasFigures ? 1 : 4}>
        {hasFigures && stopped === "" ? (
          <ScoreText {...standing} />
        ) : (
          <Unfinished id={id} name={name} run={run} />
        )}
      </td>
      {hasFigures && (
        <>
          <td>{trained ? milliseconds(trained.fitMilliseconds) : ""}</td>
          <td>{trained?.canPredict ? milliseconds(trained.predictMicroseconds / 1000) : ""}</td>
          <td>{trained ? bytes(trained.file.length) : ""}</td>
        </>
      )}
      <Actions id={id} name={name} />
    </tr>
  );
}

function NameCell({ model, tied, recommended }: Standing) {
  const { models, selected } = current.value;
  const { id, estimator } = model;
  const own = settingsOrId(model, models);
  return (
    <th scope="row">
      <div class="board-name">
        <span class={tied ? "bracket tied" : "bracket"} title={tied ? "tied with the best" : undefined} />
        <div>
          <button
            type="button"
            class="link"
            aria-pressed={selected === id}
            onClick={() => dispatch({ type: "select", id })}
          >
            {modelName(estimator)}
          </button>
          {own !== "" && <span class="note"> {own}</span>}
          {recommended && (
            <span class="star" title={reason.value}>
              {" "}
              ★<span class="unseen">recommended</span>
            </span>
          )}
        </div>
      </div>
    </th>
  );
}

function ScoreText({ run: { trained }, mean, margin }: Standing) {
  if (trained?.task === "clustering") return <>{clustersText(trained)}</>;
  if (mean === undefined) return <>–</>;
  return (
    <>
      {fixed(mean, 3)}
      {margin !== undefined && <span class="interval"> ± {margin.toFixed(3)}</span>}
    </>
  );
}

interface UnfinishedProps extends Pick<Standing, "run"> {
  readonly id: string;
  readonly name: string;
}

/** How far a fit is, or what became of it. */
function Unfinished({ id, name, run: { state, progress, stage, message, stopped } }: UnfinishedProps) {
  const active = state === "running" || state === "queued";
  return (
    <div class="unfinished">
      {active ? (
        <progress max={1} value={progress ?? undefined} aria-label={`${name}: ${stage || "waiting"}`} />
      ) : (
        <span class={state === "failed" ? "problem" : undefined}>
          {state === "failed" ? message : state === "cancelled" ? state : `stopped ${stopped}, usable`}
        </span>
      )}
      <button
        type="button"
        onClick={() => (active ? cancel : retry)(id)}
        aria-label={active ? `Cancel ${name}` : `Train ${name} again`}
      >
        {active ? "Cancel" : "Retry"}
      </button>
    </div>
  );
}

function Actions({ id, name }: { readonly id: string; readonly name: string }) {
  const isPinned = current.value.board.pinned.includes(id);
  return (
    <td class="actions">
      <button
        type="button"
        class="quiet"
        aria-label={`Keep ${name} on top`}
        aria-pressed={isPinned}
        title={isPinned ? "Unpin it" : "Pin it to the top"}
        onClick={() => dispatch({ type: "pin", id, on: !isPinned })}
      >
        <svg class="pin" viewBox="0 0 16 16" aria-hidden="true">
          <path d="M5 2h6M6 2v5L4 9.5h8L10 7V2M8 9.5V14" />
        </svg>
      </button>
      <button
        type="button"
        class="quiet"
        aria-label={`Remove ${name}`}
        onClick={() => dispatch({ type: "removeModel", id })}
      >
        ×
      </button>
    </td>
  );
}
