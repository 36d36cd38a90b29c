import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { cellText } from "../../data/table.js";
import { document as current, dispatch, modelKey, pool, roles, runOf, table } from "../../state/session.js";
import { short } from "../../ui/figures.js";
import type { Prediction } from "../../work/protocol.js";

/** One row, whose values can be changed: the answer follows. */
export function WhatIf({ id }: { readonly id: string }) {
  const loaded = table.value;
  const what = roles.value;
  const { row } = current.value.view;
  const { trained } = runOf(id).value;
  const changes = useSignal<Readonly<Record<string, string>>>({});
  const answer = useSignal<Prediction | string | null>(null);
  useEffect(() => {
    changes.value = {};
  }, [row, loaded]);
  const given = changes.value;
  useEffect(() => {
    if (loaded === null || what === null || row === null || trained === undefined) return;
    const stop = new AbortController();
    pool.hold(loaded.key, loaded.data);
    const ask = { roles: what, model: modelKey(id), row, changes: given };
    pool.run("predict", ask, { needs: [loaded.key, modelKey(id)], signal: stop.signal }).then(
      (found) => {
        answer.value = found;
      },
      (error: Error) => {
        if (!stop.signal.aborted) answer.value = error.message;
      },
    );
    return () => stop.abort();
  }, [id, trained, row, given, loaded, what]);
  if (loaded === null || what === null) return null;
  const go = (next: number) =>
    dispatch({ type: "setView", view: { row: Math.min(loaded.data.rows - 1, Math.max(0, next)) } });
  return (
    <section aria-labelledby="what-if-title" class="what-if">
      <div class="part-head">
        <h2 id="what-if-title">One row, and what if</h2>
        <label>
          Row{" "}
          <input
            type="number"
            min={1}
            max={loaded.data.rows}
            value={row === null ? "" : row + 1}
            placeholder="none"
            onChange={(event) => {
              if (event.currentTarget.value !== "") go(event.currentTarget.valueAsNumber - 1);
            }}
          />
        </label>
        {row !== null && (
          <button
            type="button"
            class="quiet"
            onClick={() => dispatch({ type: "setView", view: { row: null } })}
          >
            None
          </button>
        )}
      </div>
      {row === null ? (
        <p class="note">Click a point, or give the number of a row, to see how the model decides it.</p>
      ) : (
        <>
          <div class="what-if-fields">
            {loaded.data.columns
              .filter(({ name }) => what.features.includes(name))
              .slice(0, 40)
              .map((column) => (
                <div key={column.name}>
                  <label for={`cell-${column.name}`}>{column.name}</label>
                  {column.kind === "category" ? (
                    <select
                      id={`cell-${column.name}`}
                      value={given[column.name] ?? cellText(column, row)}
                      onChange={(event) => {
                        changes.value = { ...given, [column.name]: event.currentTarget.value };
                      }}
                    >
                      {column.levels.map((level) => (
                        <option key={level} value={level}>
                          {level}
                        </option>
                      ))}
                    </select>
                  ) : (
                    <input
                      id={`cell-${column.name}`}
                      type="text"
                      inputMode={column.kind === "number" ? "decimal" : "text"}
                      value={given[column.name] ?? cellText(column, row)}
                      onChange={(event) => {
                        changes.value = { ...given, [column.name]: event.currentTarget.value };
                      }}
                    />
                  )}
                </div>
              ))}
          </div>
          <div role="status">{answer.value !== null && <Answer answer={answer.value} />}</div>
        </>
      )}
    </section>
  );
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
