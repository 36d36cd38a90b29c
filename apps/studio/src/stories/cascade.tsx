import { useSignal } from "@preact/signals";
import { curve, Plot, Sliders } from "./plot.js";
import { figurePage, type Story } from "./story.js";

/** Stages of equal rates: what passes all of them, and what a row costs. */
function Stages() {
  const stages = useSignal(6);
  const detection = useSignal(0.99);
  const falseAlarm = useSignal(0.4);
  const positives = useSignal(0.01);
  const n = stages.value;
  const d = detection.value ** n;
  const f = falseAlarm.value ** n;
  const reach = (rate: number) =>
    Array.from({ length: n }, (_, k) => rate ** k).reduce((sum, share) => sum + share, 0);
  const cost = positives.value * reach(detection.value) + (1 - positives.value) * reach(falseAlarm.value);
  return (
    <>
      <Plot
        x={[1, 20, "stages"]}
        y={[0, 1, "fraction that passes all"]}
        label={`${n} stages detect ${(100 * d).toFixed(1)} % and let ${(100 * f).toFixed(2)} % of the others pass, at a cost of ${cost.toFixed(2)} stages per row.`}
      >
        {(at) => (
          <>
            <path class="curve-a" d={curve((k) => detection.value ** k, [1, 20], at)} />
            <path class="curve-b" d={curve((k) => falseAlarm.value ** k, [1, 20], at)} />
            <path class="guide" d={`M${at.x(n)} ${at.y(0)}V${at.y(1)}`} />
            <text class="curve-name-a" x={at.x(12)} y={at.y(Math.min(0.95, detection.value ** 12 + 0.05))}>
              positives
            </text>
            <text class="curve-name-b" x={at.x(4)} y={at.y(Math.min(0.9, falseAlarm.value ** 4 + 0.08))}>
              negatives
            </text>
          </>
        )}
      </Plot>
      <p role="status">
        Detected: {(100 * d).toFixed(1)} %. False alarms: {(100 * f).toPrecision(2)} %. A row costs{" "}
        {cost.toFixed(2)} stages on average, of {n}.
      </p>
      <Sliders
        of={[
          ["stages", stages, [1, 20], 1],
          ["detected per stage", detection, [0.9, 1], 0.001],
          ["false alarms per stage", falseAlarm, [0.05, 0.9], 0.05],
          ["fraction of positives", positives, [0.001, 0.5], 0.001],
        ]}
      />
    </>
  );
}

/** The normal distribution function (Abramowitz and Stegun 7.1.26, error below 2e-7). */
function normal(z: number): number {
  const t = 1 / (1 + 0.3275911 * (Math.abs(z) / Math.SQRT2));
  const tail =
    ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) *
    t *
    Math.exp((-z * z) / 2);
  return z >= 0 ? 1 - tail / 2 : tail / 2;
}

/** Two classes of scores, a threshold, and its point on the ROC curve. */
function Threshold() {
  const threshold = useSignal(0.8);
  const apart = useSignal(1.6);
  const tpr = 1 - normal(threshold.value - apart.value);
  const fpr = 1 - normal(threshold.value);
  const density = (x: number) => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
  const roc = Array.from({ length: 121 }, (_, k) => {
    const t = 5 - k / 12;
    return [1 - normal(t), 1 - normal(t - apart.value)] as const;
  });
  return (
    <>
      <Plot
        x={[-4, 6, "score"]}
        y={[0, 0.45, "density"]}
        height={260}
        label={`At a threshold of ${threshold.value}, ${(100 * tpr).toFixed(0)} % of the positives and ${(100 * fpr).toFixed(0)} % of the negatives are above it.`}
      >
        {(at) => (
          <>
            <path class="curve-a" d={curve(density, [-4, 6], at)} />
            <path class="curve-b" d={curve((x) => density(x - apart.value), [-4, 6], at)} />
            <path class="guide" d={`M${at.x(threshold.value)} ${at.y(0)}V${at.y(0.45)}`} />
          </>
        )}
      </Plot>
      <Plot
        x={[0, 1, "false positive rate"]}
        y={[0, 1, "true positive rate"]}
        height={360}
        label={`The ROC curve; the threshold's point is at ${fpr.toFixed(2)} and ${tpr.toFixed(2)}.`}
      >
        {(at) => (
          <>
            <path class="guide" d={`M${at.x(0)} ${at.y(0)}L${at.x(1)} ${at.y(1)}`} />
            <path
              class="curve-a"
              d={roc.map(([x, y], k) => `${k === 0 ? "M" : "L"}${at.x(x)} ${at.y(y)}`).join("")}
            />
            <circle class="mark-b" cx={at.x(fpr)} cy={at.y(tpr)} r={6} />
          </>
        )}
      </Plot>
      <p role="status">
        TPR {tpr.toFixed(3)}, FNR {(1 - tpr).toFixed(3)}, FPR {fpr.toFixed(3)}, TNR {(1 - fpr).toFixed(3)}.
      </p>
      <Sliders
        of={[
          ["threshold", threshold, [-3, 5], 0.1],
          ["distance of the classes", apart, [0, 4], 0.1],
        ]}
      />
    </>
  );
}

export const cascade: Story = {
  name: "cascade",
  title: "Thresholds and cascades",
  about: "Cheap and sensitive first, costly and specific last: most rows leave early.",
  pages: [
    figurePage(
      "A threshold is a choice",
      Threshold,
      "Every threshold trades missed positives for false alarms: a point on the ROC curve. Move it. A stage of a cascade stands far to the right: it misses almost nothing.",
    ),
    figurePage(
      "Rates multiply",
      Stages,
      "A row must pass all stages. Each keeps 99 % of the positives and 40 % of the negatives: after six, 94 % and 0.4 %. Most negatives cost one or two stages only. Build one from your own models in Evaluate.",
    ),
  ],
};
