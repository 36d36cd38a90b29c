import { linePath, stepPath } from "argmax/plot";
import { useMemo } from "preact/hooks";
import { chooseRows } from "../../state/choose-rows.js";
import { document as current, dispatch } from "../../state/session.js";
import { Chart } from "../../ui/pictures/chart.js";
import type { Curves, Ranking } from "../../work/measures/ranking.js";
import { pointAt, positionText, thresholdOf } from "../../work/measures/ranking.js";
import { type Judged, rowsWhere } from "./judged.js";
import { thinned } from "./thinned.js";

/** Points of a drawn curve, and rows of its table. */
const DRAWN = 600;
const LISTED = 25;

type CurveProps = Judged & { readonly ranking: Ranking; readonly curves: Curves };

/** ROC and precision–recall, with the point of the threshold on both. */
export function CurveCards(props: CurveProps) {
  const { curves, names, positive, ranking } = props;
  const base = ranking.positives.length / ranking.position.length;
  const name = names[positive]!;
  return (
    <>
      <Curve
        {...props}
        title="ROC"
        figure={`Area ${curves.rocArea.toFixed(3)}`}
        x={{ label: "False positive rate", values: curves.fpr }}
        y={{ label: "True positive rate", values: curves.tpr }}
        chance={[
          [0, 1],
          [0, 1],
        ]}
        sentence={`ROC curve of ${name} against the rest, area ${curves.rocArea.toFixed(3)}.`}
        steps={false}
      />
      <Curve
        {...props}
        title="Precision and recall"
        figure={`Average precision ${curves.averagePrecision.toFixed(3)}`}
        x={{ label: "Recall", values: curves.tpr }}
        y={{ label: "Precision", values: curves.precision }}
        chance={[
          [0, 1],
          [base, base],
        ]}
        sentence={`Precision over recall of ${name}, average precision ${curves.averagePrecision.toFixed(3)}; ${(100 * base).toFixed(1)} % of the rows are ${name}.`}
        steps={true}
      />
    </>
  );
}

interface Along {
  readonly label: string;
  readonly values: Float64Array;
}

interface OneCurveProps extends CurveProps {
  readonly title: string;
  readonly figure: string;
  readonly sentence: string;
  readonly x: Along;
  readonly y: Along;
  readonly chance: readonly [readonly number[], readonly number[]];
  /** Precision does not go straight from point to point. */
  readonly steps: boolean;
}

function Curve(props: OneCurveProps) {
  const { ranking, curves, threshold, title, figure, sentence, x, y, chance, steps } = props;
  const drawn = useMemo(() => thinned(curves.thresholds.length, DRAWN), [curves]);
  const point = pointAt(curves, threshold);
  const move = (to: number) =>
    dispatch({ type: "setDecision", decision: { threshold: thresholdOf(curves, to), rule: "threshold" } });
  const path = steps ? stepPath : linePath;
  const here = `threshold ${positionText(ranking.scale, threshold)}: ${x.label.toLowerCase()} ${x.values[point]!.toFixed(3)}, ${y.label.toLowerCase()} ${y.values[point]!.toFixed(3)}`;
  const at = (k: number) => positionText(ranking.scale, Math.min(1, curves.thresholds[k]!));
  return (
    <section class="eval-card" aria-label={title}>
      <div class="part-head">
        <h2>{title}</h2>
        <span class="note">{figure}</span>
      </div>
      <Chart
        label={`${sentence} Arrow keys move the threshold, Enter selects the rows that are predicted positive.`}
        x={{ label: x.label, range: [0, 1] }}
        y={{ label: y.label, range: [0, 1] }}
        slider={{
          min: 0,
          max: curves.thresholds.length - 1,
          value: point,
          text: here,
          onMove: move,
          onPress: () => chooseAbove(props),
          onPoint: (atX, atY) => move(nearestOf(drawn, props, atX, atY)),
        }}
        table={{
          caption: sentence,
          head: ["Threshold", x.label, y.label],
          rows: thinned(curves.thresholds.length, LISTED).map((k) => [
            k === 0 ? "none" : at(k),
            x.values[k]!.toFixed(3),
            y.values[k]!.toFixed(3),
          ]),
        }}
      >
        {(sx, sy) => (
          <g>
            <path class="ideal" d={linePath(chance[0], chance[1], sx, sy)} />
            <path
              class="line"
              d={path(
                drawn.map((k) => x.values[k]!),
                drawn.map((k) => y.values[k]!),
                sx,
                sy,
              )}
            />
            <circle class="dot" cx={sx(x.values[point]!)} cy={sy(y.values[point]!)} r={5} />
          </g>
        )}
      </Chart>
      <p class="note">At {here}.</p>
    </section>
  );
}

/** Chooses the rows that are predicted positive. */
function chooseAbove({ id, held, ranking, curves, positive, title }: OneCurveProps): void {
  // Of the document: a pointer may have moved it since the last drawing.
  const at = curves.thresholds[pointAt(curves, current.value.decision.threshold)]!;
  chooseRows(
    `${title} ${id} ${positive} ${at}`,
    rowsWhere(held, (e) => ranking.position[e]! >= at),
  );
}

/** The point of a curve that is nearest to a place. */
function nearestOf(
  drawn: readonly number[],
  { x, y }: Pick<OneCurveProps, "x" | "y">,
  atX: number,
  atY: number,
): number {
  let [best, least] = [0, Infinity];
  for (const k of drawn) {
    const far = (x.values[k]! - atX) ** 2 + (y.values[k]! - atY) ** 2;
    if (far < least) [best, least] = [k, far];
  }
  return best;
}
