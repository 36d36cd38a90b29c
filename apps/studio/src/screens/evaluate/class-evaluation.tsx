import { useMemo } from "preact/hooks";
import { document as current } from "../../state/session.js";
import { Later } from "../../ui/later.js";
import { SelectedRows } from "../../ui/selected-rows.js";
import { confusionOf, decisionsOf } from "../../work/measures/confusion.js";
import { decisionMetrics, rankingMetrics } from "../../work/measures/metrics.js";
import type { Ranked } from "../../work/measures/ranked.js";
import { type Curves, positionText, type Ranking } from "../../work/measures/ranking.js";
import type { Held, Trained } from "../../work/protocol.js";
import { CalibrationCard } from "./calibration-card.js";
import { CascadeCard } from "./cascade-card.js";
import { ClassSelect } from "./class-select.js";
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
        <ClassSelect label="Class of interest" classes={trained.classes} positive={positive} />
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

/** The decisions of the rule that is set, and what they make of the held-out rows. */
function useJudged({ id, trained, held, positive, ranked }: CardsProps): Judged {
  const names = trained.classes;
  const K = names.length;
  const { decision } = current.value;
  const { threshold } = decision;
  const { ranking, curves } = ranked;
  const byThreshold = ranking !== undefined && (K === 2 || decision.rule === "threshold");
  const decided = useMemo(
    () => decisionsOf(held, K, byThreshold ? { ranking, positive, threshold } : undefined),
    [held, K, ranking, positive, byThreshold, byThreshold ? threshold : 0],
  );
  const confusion = useMemo(() => confusionOf(held.truth, decided, K), [held, decided, K]);
  const shared = { id, trained, held, names, positive, ranking, curves };
  return { ...shared, threshold, byThreshold, decided, confusion };
}

function Cards(props: CardsProps) {
  const judged = useJudged(props);
  const { held, names, positive, ranking, curves, decided } = judged;
  const K = names.length;
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
        <ClassMetrics judged={judged} proper={props.ranked.proper} />
        {ranking !== undefined && curves !== undefined && (
          <RankingCards {...judged} ranking={ranking} curves={curves} />
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

interface ClassMetricsProps {
  readonly judged: Judged;
  readonly proper: Ranked["proper"];
}

function ClassMetrics({ judged, proper }: ClassMetricsProps) {
  const { held, names, positive, ranking, curves, decided, byThreshold, threshold } = judged;
  const [positives, negatives] = [ranking?.positives.length ?? 0, ranking?.negatives.length ?? 0];
  const metrics = [
    ...decisionMetrics(held.truth, decided, names.length === 2 ? positive : null),
    ...proper,
    ...rankingMetrics(curves, positives, negatives, names[positive] ?? ""),
  ];
  const note = byThreshold
    ? `At the threshold ${positionText(ranking!.scale, threshold)} of ${names[positive]}. `
    : "";
  return (
    <MetricsCard
      metrics={metrics}
      of=": Wilson's of proportions, Hanley and McNeil's of the area, normal ones of means"
      note={note}
    />
  );
}

/** What is known of a model that ranks rows. */
const RankingCards = (judged: Judged & { readonly ranking: Ranking; readonly curves: Curves }) => (
  <>
    <CurveCards {...judged} />
    <Later turn={1}>
      <ScoresCard {...judged} />
    </Later>
    <Later turn={2}>
      <CalibrationCard {...judged} />
    </Later>
    <Later turn={3}>
      <CostCard {...judged} />
    </Later>
  </>
);

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
