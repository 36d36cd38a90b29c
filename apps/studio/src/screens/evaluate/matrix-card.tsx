import { useMemo, useState } from "preact/hooks";
import { chooseRows, isChosen } from "../../state/choose-rows.js";
import { document as current, selectedRows } from "../../state/session.js";
import { Select } from "../../ui/fields/select.js";
import { short } from "../../ui/figures.js";
import { ScrollRegion, TableHead } from "../../ui/table-parts.js";
import { rowSum, topConfusions } from "../../work/measures/confusion.js";
import { type Judged, rowsWhere } from "./judged.js";

const modes = ["counts", "row %", "cost"] as const;
type Mode = (typeof modes)[number];

/** More classes are a list of the most frequent mistakes. */
const MOST_CLASSES = 30;
const LISTED = 40;

/** True classes against decided ones. */
export function MatrixCard(judged: Judged) {
  const { names } = judged;
  const K = names.length;
  const [mode, setMode] = useState<Mode>("counts");
  return (
    <section class="eval-card" aria-labelledby="matrix-title">
      <div class="part-head">
        <h2 id="matrix-title">Confusion matrix</h2>
        {K <= MOST_CLASSES && (
          <label class="inline">
            Show
            <Select of={modes} value={mode} onChange={(value) => setMode(value as Mode)} />
          </label>
        )}
      </div>
      {K > MOST_CLASSES ? <Confusions {...judged} /> : <Matrix judged={judged} mode={mode} />}
      {mode === "cost" && K > 2 && K <= MOST_CLASSES && (
        <p class="note">
          A row that is wrongly given {names[judged.positive]} is a false alarm, one of it that is given
          another class is a miss; other mistakes cost nothing here.
        </p>
      )}
    </section>
  );
}

function Matrix({ judged, mode }: { readonly judged: Judged; readonly mode: Mode }) {
  const { names, confusion, held, decided } = judged;
  const K = names.length;
  const selected = selectedRows.value;
  const chosenCounts = useMemo(() => {
    if (selected === null) return undefined;
    const counts = new Float64Array(K * K);
    for (let e = 0; e < decided.length; e++)
      if (selected.has(held.rows[e]!)) counts[held.truth[e]! * K + decided[e]!]!++;
    return counts;
  }, [selected, held, decided]);
  return (
    <ScrollRegion label="True against decided classes">
      <table class="matrix">
        <caption class="note">Rows are the true class, columns what was decided.</caption>
        <thead>
          <tr>
            <th scope="col">
              <span class="unseen">True class</span>
            </th>
            {names.map((name) => (
              <th key={name} scope="col" title={name}>
                <span class="clip">{name}</span>
              </th>
            ))}
            <th scope="col">Rows</th>
          </tr>
        </thead>
        <tbody>
          {names.map((name, t) => (
            <tr key={name}>
              <th scope="row" title={name}>
                <span class="clip">{name}</span>
              </th>
              {names.map((other, d) => (
                <Cell key={other} {...{ judged, mode, t, d }} chosen={chosenCounts?.[t * K + d]} />
              ))}
              <td>{rowSum(confusion.counts, K, t)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

interface CellProps {
  readonly judged: Judged;
  readonly mode: Mode;
  readonly t: number;
  readonly d: number;
  /** Selected rows of this cell; undefined where none are. */
  readonly chosen: number | undefined;
}

function Cell({ judged, mode, t, d, chosen }: CellProps) {
  const { names, confusion, positive } = judged;
  const K = names.length;
  const count = confusion.counts[t * K + d]!;
  const share = count / (rowSum(confusion.counts, K, t) || 1);
  const { costFalsePositive, costFalseNegative } = current.value.decision;
  const cost = t === d ? 0 : d === positive ? costFalsePositive : t === positive ? costFalseNegative : 0;
  const text =
    mode === "counts"
      ? String(count)
      : mode === "row %"
        ? `${(100 * share).toFixed(1)} %`
        : short(count * cost);
  const { key, choose } = cellOf(judged, t, d);
  const rest = `rows of ${names[t]} decided as ${names[d]}, ${(100 * share).toFixed(1)} % of ${names[t]}`;
  return (
    <td class={t === d ? "right" : "mistake"} style={{ "--share": count === 0 ? 0 : 0.15 + 0.85 * share }}>
      <button type="button" title={`${count} ${rest}`} aria-pressed={isChosen(key)} onClick={choose}>
        {text}
        <span class="unseen">{mode === "counts" ? ` ${rest}` : `: ${count} ${rest}`}</span>
        {chosen !== undefined && chosen > 0 && <small> {chosen} selected</small>}
      </button>
    </td>
  );
}

function cellOf({ id, held, decided, threshold, byThreshold, positive }: Judged, t: number, d: number) {
  const key = `matrix ${id} ${byThreshold ? `${positive} ${threshold}` : ""} ${t} ${d}`;
  const choose = () =>
    chooseRows(
      key,
      rowsWhere(held, (e) => held.truth[e] === t && decided[e] === d),
    );
  return { key, choose };
}

/** The most frequent mistakes. */
function Confusions(judged: Judged) {
  const { names, confusion } = judged;
  const found = topConfusions(confusion, LISTED);
  if (found.length === 0) return <p>No row is decided wrongly.</p>;
  return (
    <ScrollRegion label="Most frequent mistakes" class="scroll eval-tall">
      <table>
        <caption class="note">
          {names.length} classes: the most frequent mistakes, not the whole matrix.
        </caption>
        <TableHead titles={["Truth", "Decided", "Rows", "Of the class"]} />
        <tbody>
          {found.map(({ truth, decided, count, share }) => {
            const { key, choose } = cellOf(judged, truth, decided);
            return (
              <tr key={key}>
                <th scope="row">{names[truth]}</th>
                <td>{names[decided]}</td>
                <td>
                  <button
                    type="button"
                    aria-pressed={isChosen(key)}
                    aria-label={`Select ${count} rows of ${names[truth]} decided as ${names[decided]}`}
                    onClick={choose}
                  >
                    {count}
                  </button>
                </td>
                <td>{(100 * share).toFixed(1)} %</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
