import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type ColumnData, cellText } from "../../data/table.js";
import { document as current, dispatch, idColumn, plane, pool, roles, table } from "../../state/session.js";
import { modelKey, runOf } from "../../state/training.js";
import { short } from "../../ui/figures.js";
import { rowId } from "../../ui/row-name.js";
import type { Flip, Prediction } from "../../work/protocol.js";
import { flipSentence } from "./flip-sentence.js";
import { RowImage } from "./row-image.js";

/** More fields are folded. */
const MANY_FIELDS = 12;
/** Further columns are not shown. */
const MOST_FIELDS = 100;

/** One row, whose values can be changed: the answer follows. */
export function WhatIf({ id }: { readonly id: string }) {
  const loaded = table.value;
  const what = roles.value;
  const { row } = current.value.view;
  const { trained } = runOf(id).value;
  const changes = useSignal<Readonly<Record<string, string>>>({});
  useEffect(() => {
    changes.value = {};
  }, [row, loaded]);
  const given = changes.value;
  const answer = useAnswer(id, given);
  if (loaded === null || what === null) return null;
  return (
    <section aria-labelledby="what-if-title" class="what-if">
      <div class="part-head">
        <h2 id="what-if-title">One row, and what if</h2>
        <RowPicker rows={loaded.data.rows} row={row} />
      </div>
      {row === null ? (
        <p class="note">
          {plane.value === null ? "Give" : "Click a point, or give"} the number of a row, to see how the model
          decides it.
        </p>
      ) : (
        <>
          <RowImage row={row} changes={given} />
          <Fields
            columns={loaded.data.columns.filter(({ name }) => what.features.includes(name))}
            row={row}
            given={given}
            disabled={trained?.canPredict === false}
            onChange={(name, value) => {
              changes.value = { ...given, [name]: value };
            }}
          />
          <div role="status">
            {trained?.canPredict === false ? (
              <ClusterOf row={row} labels={trained.held?.predicted} />
            ) : (
              answer !== null && <Answer answer={answer} />
            )}
          </div>
          {trained?.canPredict === true && what.task !== "regression" && (
            <Flips id={id} row={row} given={given} isReady={answer !== null} />
          )}
        </>
      )}
    </section>
  );
}

/** What the model says about the row with other values: a prediction, or why there is none. */
function useAnswer(id: string, given: Readonly<Record<string, string>>): Prediction | string | null {
  const loaded = table.value;
  const what = roles.value;
  const { row } = current.value.view;
  const { trained } = runOf(id).value;
  const answer = useSignal<Prediction | string | null>(null);
  // What another model said is not this one's answer.
  useEffect(() => {
    answer.value = null;
  }, [id]);
  useEffect(() => {
    if (loaded === null || what === null || row === null || trained?.canPredict !== true) return;
    const stop = new AbortController();
    pool.hold(loaded.key, loaded.data);
    const ask = { roles: what, model: modelKey(id), row, changes: given };
    pool.run("predict", ask, { needs: [loaded.key, modelKey(id)], signal: stop.signal, urgent: true }).then(
      (found) => {
        answer.value = found;
      },
      (error: Error) => {
        if (!stop.signal.aborted) answer.value = error.message;
      },
    );
    return () => stop.abort();
  }, [id, trained, row, given, loaded, what]);
  return answer.value;
}

/** The number of the row that is followed, and its name. */
function RowPicker({ rows, row }: { readonly rows: number; readonly row: number | null }) {
  const go = (next: number | null) => dispatch({ type: "setView", view: { row: next } });
  return (
    <>
      <label>
        Row{" "}
        <input
          type="number"
          min={1}
          max={rows}
          value={row === null ? "" : row + 1}
          placeholder="none"
          onChange={(event) => {
            const { valueAsNumber } = event.currentTarget;
            const next = Math.min(rows - 1, Math.max(0, Math.trunc(valueAsNumber) - 1));
            go(Number.isNaN(valueAsNumber) ? null : next);
          }}
        />
      </label>
      {row !== null && rowId(row) !== "" && (
        <span class="note">
          {idColumn.value?.name}: {rowId(row)}
        </span>
      )}
      {row !== null && (
        <button type="button" class="quiet" onClick={() => go(null)}>
          None
        </button>
      )}
    </>
  );
}

interface FieldsProps {
  readonly columns: readonly ColumnData[];
  readonly row: number;
  readonly given: Readonly<Record<string, string>>;
  readonly disabled: boolean;
  readonly onChange: (name: string, value: string) => void;
}

function Fields({ columns, ...others }: FieldsProps) {
  const fields = (
    <div class="what-if-fields">
      {columns.slice(0, MOST_FIELDS).map((column) => (
        <Field key={column.name} column={column} {...others} />
      ))}
    </div>
  );
  if (columns.length <= MANY_FIELDS) return fields;
  const left = columns.length - MOST_FIELDS;
  return (
    <details>
      <summary>The {columns.length} values of the row</summary>
      {fields}
      {left > 0 && <p class="note">{left} further columns are not shown.</p>}
    </details>
  );
}

interface FieldProps extends Omit<FieldsProps, "columns"> {
  readonly column: ColumnData;
}

function Field({ column, row, given, disabled, onChange }: FieldProps) {
  const { name } = column;
  const id = `cell-${name}`;
  const value = (Object.hasOwn(given, name) ? given[name] : undefined) ?? cellText(column, row);
  return (
    <div class={column.kind === "text" ? "wide" : undefined}>
      <label for={id}>{name}</label>
      {column.kind === "category" ? (
        <select
          id={id}
          value={value}
          disabled={disabled}
          onChange={(event) => onChange(name, event.currentTarget.value)}
        >
          {value === "" && <option value="">missing</option>}
          {column.levels.map((level) => (
            <option key={level} value={level}>
              {level}
            </option>
          ))}
        </select>
      ) : column.kind === "text" ? (
        <textarea
          id={id}
          rows={5}
          disabled={disabled}
          value={value}
          onChange={(event) => onChange(name, event.currentTarget.value)}
        />
      ) : (
        <input
          id={id}
          type="text"
          inputMode="decimal"
          disabled={disabled}
          value={value}
          onChange={(event) => onChange(name, event.currentTarget.value)}
        />
      )}
    </div>
  );
}

function ClusterOf({ row, labels }: { readonly row: number; readonly labels: Float64Array | undefined }) {
  const cluster = labels?.[row];
  return (
    <p>
      {cluster === undefined ? null : cluster < 0 ? (
        <>
          This row is <strong>noise</strong>: it is in no cluster.{" "}
        </>
      ) : (
        <>
          This row is in <strong>cluster {cluster}</strong>.{" "}
        </>
      )}
      This clustering knows its own rows only: it has no answer for changed or new ones.
    </p>
  );
}

/** Flips that are shown beside the nearest one. */
const MOST_FLIPS = 8;

/** The smallest change of one feature that changes the answer. */
function Flips({ id, row, given, isReady }: FlipsProps) {
  const flips = useSignal<readonly Flip[] | string | null>(null);
  const loaded = table.value;
  const what = roles.value;
  const { trained } = runOf(id).value;
  useEffect(() => {
    flips.value = null;
    // The answer itself comes first.
    if (loaded === null || what === null || trained === undefined || !isReady) return;
    const stop = new AbortController();
    pool.hold(loaded.key, loaded.data);
    const key = modelKey(id);
    const ask = { roles: what, model: key, row, changes: given };
    pool.run("flip", ask, { needs: [loaded.key, key], signal: stop.signal, urgent: true }).then(
      (found) => {
        flips.value = found;
      },
      (error: Error) => {
        if (!stop.signal.aborted) flips.value = error.message;
      },
    );
    return () => stop.abort();
  }, [id, trained, row, given, loaded, what, isReady]);
  const found = flips.value;
  if (
    found === null ||
    !loaded?.data.columns.some(({ kind, name }) => kind === "number" && what?.features.includes(name))
  )
    return null;
  if (typeof found === "string") return <p class="problem">{found}</p>;
  if (found.length === 0)
    return (
      <p class="note">No change of a single number within the range of the table changes the prediction.</p>
    );
  return (
    <>
      <p class="nearest-flip">{flipSentence(found[0]!)}.</p>
      {found.length > 1 && (
        <details>
          <summary>Other single changes</summary>
          <ul>
            {found.slice(1, 1 + MOST_FLIPS).map((flip) => (
              <li key={flip.name}>{flipSentence(flip)}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

interface FlipsProps {
  readonly id: string;
  readonly row: number;
  readonly given: Readonly<Record<string, string>>;
  readonly isReady: boolean;
}

function Answer({ answer }: { readonly answer: Prediction | string }) {
  if (typeof answer === "string") return <p class="problem">{answer}</p>;
  const { label, truth, scores, scale } = answer;
  return (
    <>
      <p>
        Answer: <strong>{typeof label === "number" ? short(label) : label}</strong>
        {truth !== null && ` (in the table: ${truth})`}
      </p>
      {scores.length > 0 && (
        <table class="bars">
          <caption class="unseen">{scale === "probability" ? "Probabilities" : "Scores"}</caption>
          <tbody>
            {scores.slice(0, 12).map(({ name, value }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>
                  <meter
                    min={scale === "probability" ? 0 : -3}
                    max={scale === "probability" ? 1 : 3}
                    value={value}
                    aria-label={name}
                  />
                </td>
                <td>{scale === "probability" ? `${(100 * value).toFixed(1)} %` : short(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
