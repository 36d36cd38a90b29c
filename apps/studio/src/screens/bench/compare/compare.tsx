import { useMemo } from "preact/hooks";
import { document as current, dispatch, plane, selectedRows, task } from "../../../state/session.js";
import { boardRows, tick } from "../../../ui/models/board.js";
import { BoundaryPicture } from "../../../ui/pictures/boundary-picture.js";
import { Legend } from "../../../ui/pictures/legend.js";
import { SelectedRows } from "../../../ui/selected-rows.js";
import { heldPosition } from "../../evaluate/judged.js";
import { useAllRanked } from "../../evaluate/use-ranked.js";
import "./compare.css";
import { short } from "../../../ui/figures.js";
import { ScrollRegion, TableHead } from "../../../ui/table-parts.js";
import { type Contender, contendersOf, type Measured, measuredOf } from "./contenders.js";
import { Curves } from "./curves.js";
import { figureLines } from "./figures.js";
import { Pairs } from "./pairs-table.js";

/** Up to four models side by side: what they would answer everywhere, their figures, and the rows on which they differ. */
export function Comparison() {
  const { models, board, decision } = current.value;
  const rows = boardRows.value;
  const contenders = contendersOf(board.compared, models, rows);
  const found = measuredOf(contenders);
  // The same list as long as the same models are measured: what is computed of it takes a while.
  const measured = useMemo(
    () => found,
    [...padded(found.map(({ held }) => held)), ...padded(found.map(({ label }) => label)), board.compared],
  );
  const classes = measured[0]?.trained.classes ?? [];
  const positive = Math.max(0, Math.min(decision.positive, classes.length - 1));
  return (
    <section class="compare" aria-labelledby="compare-title">
      <div class="part-head">
        <h2 id="compare-title" tabIndex={-1}>
          {contenders.length} models compared
        </h2>
        <button type="button" onClick={() => dispatch({ type: "compareNone" })}>
          Untick all
        </button>
      </div>
      {plane.value !== null && <Pictures contenders={contenders} />}
      {classes.length > 1 ? (
        <Classifiers contenders={contenders} measured={measured} positive={positive} />
      ) : (
        <>
          <Figures lines={figureLines(contenders, 0, new Map())} contenders={contenders} />
          <Differences measured={measured} />
        </>
      )}
    </section>
  );
}

/** A list of dependencies has the same length always. */
const padded = <T,>(list: readonly T[]): (T | undefined)[] => [0, 1, 2, 3].map((k) => list[k]);

function Pictures({ contenders }: { readonly contenders: readonly Contender[] }) {
  return (
    <>
      <Legend />
      <ul class="wall compare-wall">
        {contenders.map(({ id, estimator, label, trained, standing }) => (
          <li class="tile" key={id}>
            <BoundaryPicture
              name={estimator}
              grid={standing.run.grid}
              trained={trained}
              size={420}
              radius={4}
              onClick={() => dispatch({ type: "select", id })}
            />
            <div class="tile-foot compare-foot">
              <span class="tile-name">
                {label}
                {standing.run.state !== "done" && <span class="note">, {standing.run.state}</span>}
              </span>
              <button type="button" class="quiet" aria-label={`Untick ${label}`} onClick={() => tick(id)}>
                ×
              </button>
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}

interface ClassifiersProps {
  readonly contenders: readonly Contender[];
  readonly measured: readonly Measured[];
  readonly positive: number;
}

/** Classifiers have curves of the class of interest, too. */
function Classifiers({ contenders, measured, positive }: ClassifiersProps) {
  const { classes } = measured[0]!.trained;
  const helds = useMemo(() => measured.map(({ held }) => held), [measured]);
  const { ranked, problem } = useAllRanked(helds, classes.length, positive);
  const byId = useMemo(
    () => new Map((ranked ?? []).map((one, m) => [measured[m]!.id, one])),
    [ranked, measured],
  );
  return (
    <>
      {problem !== null && <p class="problem">{problem}</p>}
      <Figures lines={figureLines(contenders, positive, byId)} contenders={contenders} />
      <Differences measured={measured} />
      <Curves measured={measured} ranked={byId} positive={positive} />
    </>
  );
}

function Differences({ measured }: { readonly measured: readonly Measured[] }) {
  return (
    <>
      <Pairs models={measured} />
      {/* Of clusterings nothing here selects rows. */}
      {measured.length > 1 && (task.value !== "clustering" || selectedRows.value !== null) && (
        <SelectedRows answers={answersOf(measured)} />
      )}
    </>
  );
}

interface FiguresProps {
  readonly lines: ReturnType<typeof figureLines>;
  readonly contenders: readonly Contender[];
}

function Figures({ lines, contenders }: FiguresProps) {
  return (
    <>
      <ScrollRegion label="Figures of the compared models">
        <table class="compare-figures">
          <TableHead titles={["", ...contenders.map(({ label }) => label)]} />
          <tbody>
            {lines.map(({ name, doc, cells }) => (
              <tr key={name}>
                <th scope="row" title={doc}>
                  {name}
                </th>
                {cells.map(({ text, isBest }, m) => (
                  <td key={contenders[m]!.id}>{isBest ? <strong>{text}</strong> : text}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {lines.some(({ cells }) => cells.some(({ isBest }) => isBest)) && (
        <p class="note">Bold: the best of the row, which may be due to chance. See the differences below.</p>
      )}
    </>
  );
}

/** What every model says about a row, while it was held out. */
function answersOf(measured: readonly Measured[]) {
  return measured.map(({ label, held, trained }) => ({
    name: label,
    of: (row: number) => {
      const e = heldPosition(held, row);
      if (e < 0) return "";
      const answer = held.predicted[e]!;
      return trained.task === "classification" ? trained.classes[answer]! : short(answer);
    },
  }));
}
