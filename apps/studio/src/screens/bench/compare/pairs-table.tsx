import { useMemo } from "preact/hooks";
import { chooseRows, isChosen } from "../../../state/choose-rows.js";
import { task } from "../../../state/session.js";
import { count, fixed } from "../../../ui/figures.js";
import { ScrollRegion } from "../../../ui/table-parts.js";
import type { Measured } from "./contenders.js";
import { disputedRows, mcnemar, type Pair, pairsOf } from "./pairs.js";

/** Every two models: whether the difference of their scores is more than chance, and where they differ. */
export function Pairs({ models }: { readonly models: readonly Measured[] }) {
  const pairs = useMemo(() => pairsOf(models), [models]);
  const disputed = useMemo(() => disputedRows(models), [models]);
  if (models.length < 2) return <p class="note">Differences appear once two of the models are measured.</p>;
  const kind = task.value;
  const rows = models[0]!.held.rows.length;
  const key = `disputed ${models.map(({ id }) => id).join(" ")}`;
  return (
    <>
      <h3>Differences</h3>
      <ScrollRegion label="Differences between two models">
        <table class="compare-pairs">
          <thead>
            <tr>
              <th scope="col">First, second</th>
              {kind === "clustering" ? (
                <th scope="col">Adjusted Rand index</th>
              ) : (
                <>
                  <th scope="col">Difference, 95 % interval</th>
                  <th scope="col">p</th>
                  <th scope="col">{kind === "regression" ? "First is nearer" : "Only first is right"}</th>
                  <th scope="col">{kind === "regression" ? "Second is nearer" : "Only second is right"}</th>
                </>
              )}
            </tr>
          </thead>
          <tbody>
            {pairs.map((pair) => (
              <PairRow key={`${pair.first.id} ${pair.second.id}`} {...pair} />
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      <p class="note">
        {kind === "clustering"
          ? "1: the same clusters, whatever their numbers; about 0: as alike as by chance. "
          : `First less second on the same folds, by the corrected resampled t-test; below p = 0.05 ${pairs.length > 1 ? `one of ${pairs.length} pairs may still be chance` : "chance is unlikely"}. `}
        {kind === "classification" && (
          <button
            type="button"
            class="link"
            aria-pressed={isChosen(key)}
            disabled={disputed.length === 0}
            onClick={() => chooseRows(key, disputed)}
          >
            {count(disputed.length)} of {count(rows)} rows are not answered alike
          </button>
        )}
      </p>
    </>
  );
}

function PairRow({ first, second, scores, onlyFirst, onlySecond, agreement }: Pair) {
  const name = `${first.label} and ${second.label}`;
  const isClass = first.trained.task === "classification";
  // A single split has no folds to compare, but rows.
  const p = scores?.pValue ?? (isClass ? mcnemar(onlyFirst.length, onlySecond.length) : undefined);
  return (
    <tr>
      <th scope="row">
        {first.label},<br />
        {second.label}
      </th>
      {agreement !== null ? (
        <td>{fixed(agreement, 3)}</td>
      ) : (
        <>
          <td>
            {scores === null ? (
              "one split only"
            ) : (
              <>
                {signed(scores.difference)}{" "}
                <span class="interval">
                  ({signed(scores.interval[0])} to {signed(scores.interval[1])})
                </span>
              </>
            )}
          </td>
          <td>{p === undefined ? "–" : p < 0.001 ? "< 0.001" : p.toFixed(3)}</td>
          <td>
            <RowsButton of={`${name}: first`} rows={onlyFirst} />
          </td>
          <td>
            <RowsButton of={`${name}: second`} rows={onlySecond} />
          </td>
        </>
      )}
    </tr>
  );
}

const signed = (value: number): string => (value > 0 ? "+" : "") + fixed(value, 3);

function RowsButton({ of, rows }: { readonly of: string; readonly rows: readonly number[] }) {
  return (
    <button
      type="button"
      aria-label={`${of}: select ${rows.length} rows`}
      aria-pressed={isChosen(of)}
      disabled={rows.length === 0}
      onClick={() => chooseRows(of, rows)}
    >
      {count(rows.length)}
    </button>
  );
}
