import { maxOf } from "argmax/numeric";
import { linePath } from "argmax/plot";
import { useMemo } from "preact/hooks";
import { chooseRows } from "../../state/choose-rows.js";
import { document as current, dispatch } from "../../state/session.js";
import { short } from "../../ui/figures.js";
import { Chart } from "../../ui/pictures/chart.js";
import { type Curves, positionText, type Ranking } from "../../work/measures/ranking.js";
import { candidateThresholds, cheapestThreshold, costAt } from "./costs.js";
import { type Judged, rowsWhere } from "./judged.js";
import { positionAxis } from "./scores-card.js";

/** What a threshold costs per row, and the cheapest one. */
export function CostCard(props: CostProps) {
  const { threshold, ranking, curves } = props;
  const { costFalsePositive: falsePositive, costFalseNegative: falseNegative } = current.value.decision;
  const costs = { falsePositive, falseNegative };
  const candidates = useMemo(() => candidateThresholds(curves), [curves]);
  const values = useMemo(
    () => candidates.map((candidate) => costAt(ranking, candidate, costs)),
    [candidates, falsePositive, falseNegative],
  );
  const best = useMemo(
    () => cheapestThreshold(ranking, candidates, costs),
    [candidates, falsePositive, falseNegative],
  );
  const now = costAt(ranking, threshold, costs);
  return (
    <section class="eval-card" aria-labelledby="cost-title">
      <div class="part-head">
        <h2 id="cost-title">Expected cost</h2>
        <button
          type="button"
          onClick={() => set(best.threshold)}
          disabled={Math.abs(threshold - best.threshold) < 1e-12}
        >
          Use the cheapest threshold
        </button>
      </div>
      <CostChart {...{ ...props, costs, candidates, values, best, now }} />
      <p class="note">
        Now {short(now)} per row. Cheapest at {positionText(ranking.scale, best.threshold)} (▼):{" "}
        {short(best.cost)} on the rows that chose it, {short(best.honestCost)} where it was chosen on other
        rows.
      </p>
    </section>
  );
}

type CostProps = Judged & { readonly ranking: Ranking; readonly curves: Curves };

const set = (value: number) =>
  dispatch({ type: "setDecision", decision: { threshold: value, rule: "threshold" } });

interface CostChartProps extends Judged {
  readonly ranking: Ranking;
  readonly costs: Parameters<typeof costAt>[2];
  readonly candidates: Float64Array;
  readonly values: Float64Array;
  readonly best: ReturnType<typeof cheapestThreshold>;
  readonly now: number;
}

function CostChart(props: CostChartProps) {
  const { id, held, names, positive, threshold, ranking, costs, candidates, values, best, now } = props;
  const most = maxOf(values) || 1;
  const name = names[positive]!;
  const choose = () => {
    const at = current.value.decision.threshold;
    chooseRows(
      `cost ${id} ${positive} ${at}`,
      rowsWhere(held, (e) => ranking.position[e]! >= at !== (ranking.isPositive[e] === 1)),
    );
  };
  return (
    <Chart
      label={`Cost per row over the threshold of ${name}: ${short(now)} now, least ${short(best.cost)} at ${positionText(ranking.scale, best.threshold)}. Arrow keys move the threshold, Enter selects the mistakes.`}
      x={positionAxis(ranking.scale, name)}
      y={{ label: "Cost per row", range: [0, most * 1.05] }}
      slider={{
        min: 0,
        max: 100,
        value: Math.round(100 * threshold),
        text: `threshold ${positionText(ranking.scale, threshold)}: cost ${short(now)} per row`,
        onMove: (value) => set(value / 100),
        onPress: choose,
        onPoint: (x) => set(Math.min(1, Math.max(0, x))),
      }}
      table={{
        caption: "Cost per row by threshold",
        head: ["Threshold", "Cost per row"],
        rows: Array.from({ length: 21 }, (_, k) => [
          positionText(ranking.scale, k / 20),
          short(costAt(ranking, k / 20, costs)),
        ]),
      }}
    >
      {(sx, sy) => (
        <g>
          <path class="line" d={linePath(candidates, values, sx, sy)} />
          <line class="now" x1={sx(threshold)} x2={sx(threshold)} y1={sy(0)} y2={sy(most * 1.05)} />
          <path
            class="mark"
            d={`M${sx(best.threshold)} ${sy(best.cost) - 3}l5 -8h-10z`}
            fill="currentColor"
          />
          <circle class="dot" cx={sx(threshold)} cy={sy(now)} r={5} />
        </g>
      )}
    </Chart>
  );
}
