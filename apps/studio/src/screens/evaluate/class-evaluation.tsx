import { useMemo } from "preact/hooks";
import { document as current, dispatch } from "../../state/session.js";
import { Later } from "../../ui/later.js";
import { SelectedRows } from "../../ui/selected-rows.js";
import { confusionOf, decisionsOf } from "../../work/measures/confusion.js";
import { decisionMetrics, rankingMetrics } from "../../work/measures/metrics.js";
import type { Ranked } from "../../work/measures/ranked.js";
import { positionText } from "../../work/measures/ranking.js";
import type { Held, Trained } from "../../work/protocol.js";
import { CalibrationCard } from "./calibration-card.js";
import { CascadeCard } from "./cascade-card.js";
import { CostCard } from "./cost-card.js";
import { CurveCards } from "./curve-cards.js";
import { DecisionBar } from "./decision-bar.js";
import { heldPosition, type Judged } from "./judged.js";
import { MatrixCard } from "./matrix-card.js";
import { MetricsCard } from "./metrics-card.js";
import { ScoresCard } from "./scores-card.js";
import { useRanked } from "./use-ranked.js";

interface ClassEvaluationProps {
  readonly id: string;
  readonly trained: Trained;
  readonly held: Held;
}

/** A classifier: the matrix, curves, calibration and costs of one threshold. */
export function ClassEvaluation({ id, trained, held }: ClassEvaluationProps) {
  const K = trained.classes.length;
  const positive = Math.min(current.value.decision.positive, K - 1);
  const { ranked, problem } = useRanked(held, K, positive);
  return (
    <>
      <div class="class-picker">
        <label>
          Class of interest
          <select
            value={positive}
            onChange={(event) =>
              dispatch({ type: "setDecision", decision: { positive: Number(event.currentTarget.value) } })
            }
          >
            {trained.classes.map((name, c) => (
              <option key={name} value={c}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <p class="note">
          {held.rows.length.toLocaleString("en")} rows, each judged by a model of folds that did not train on
          it.
        </p>
      </div>
      {problem !== null && <p class="problem">{problem}</p>}
      {ranked === null && problem === null && <p role="status">Ranking the rows…</p>}
      {ranked !== null && <Cards id={id} trained={trained} held={held} positive={positive} ranked={ranked} />}
    </>
  );
}

interface CardsProps extends ClassEvaluationProps {
  readonly positive: number;
  readonly ranked: Ranked;
}

function Cards({ id, trained, held, positive, ranked }: CardsProps) {
  const names = trained.classes;
  const K = names.length;
  const { decision } = current.value;
  const { threshold } = decision;
  const { ranking, curves, proper } = ranked;
  const byThreshold = ranking !== undefined && (K === 2 || decision.rule === "threshold");
  const decided = useMemo(
    () => decisionsOf(held, K, byThreshold ? { ranking, positive, threshold } : undefined),
    [held, K, ranking, positive, byThreshold, byThreshold ? threshold : 0],
  );
  const confusion = useMemo(() => confusionOf(held.truth, decided, K), [held, decided, K]);
  const judged: Judged = {
    id,
    trained,
    held,
    names,
    positive,
    ranking,
    curves,
    threshold,
    byThreshold,
    decided,
    confusion,
  };
  const metrics = [
    ...decisionMetrics(held.truth, decided, K === 2 ? positive : null),
    ...proper,
    ...rankingMetrics(
      curves,
      ranking?.positives.length ?? 0,
      ranking?.negatives.length ?? 0,
      names[positive] ?? "",
    ),
  ];
  return (
    <>
      {ranking === undefined ? (
        <p>
          {K < 2
            ? "The target has one class only: there is nothing to decide."
            : "This model gives labels without scores: there are no curves and no threshold."}
        </p>
      ) : (
        <DecisionBar {...judged} ranking={ranking} />
      )}
      <SelectedRows answers={useMemo(() => answersOf(judged), [held, decided, ranking, positive])} />
      <div class="eval-cards">
        <MatrixCard {...judged} />
        <MetricsCard
          metrics={metrics}
          of=": Wilson's of shares, Hanley and McNeil's of the area, normal ones of means"
          note={
            byThreshold
              ? `At the threshold ${positionText(ranking!.scale, threshold)} of ${names[positive]}. `
              : ""
          }
        />
        {ranking !== undefined && curves !== undefined && (
          <>
            <CurveCards {...judged} ranking={ranking} curves={curves} />
            <Later turn={1}>
              <ScoresCard {...judged} ranking={ranking} />
            </Later>
            <Later turn={2}>
              <CalibrationCard {...judged} ranking={ranking} />
            </Later>
            <Later turn={3}>
              <CostCard {...judged} ranking={ranking} curves={curves} />
            </Later>
          </>
        )}
      </div>
      {ranking !== undefined && curves === undefined && K >= 2 && (
        <p>
          No held-out row is {names[positive]}, or all are: choose another class of interest to see curves.
        </p>
      )}
      {ranking !== undefined && (
        <Later turn={4}>
          <CascadeCard {...judged} ranking={ranking} />
        </Later>
      )}
    </>
  );
}

/** What the model says about a row of the table. */
function answersOf({ held, decided, names, ranking, positive }: Judged) {
  const answers = [
    {
      name: "Decided",
      of: (row: number) => {
        const e = heldPosition(held, row);
        return e < 0 ? "" : names[decided[e]!]!;
      },
    },
  ];
  if (ranking !== undefined)
    answers.push({
      name: ranking.scale === "probability" ? `p(${names[positive]})` : `margin of ${names[positive]}`,
      of: (row: number) => {
        const e = heldPosition(held, row);
        return e < 0 ? "" : positionText(ranking.scale, ranking.position[e]!);
      },
    });
  return answers;
}
