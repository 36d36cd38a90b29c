import { useSignal } from "@preact/signals";
import { curve, Plot, Sliders } from "./plot.js";
import { figurePage, generatedPoints, type Story } from "./story.js";

const alpha = (error: number): number => 0.5 * Math.log((1 - error) / error);

function Vote() {
  const error = useSignal(0.2);
  const a = alpha(error.value);
  return (
    <>
      <Plot
        x={[0, 1, "weighted error ε of the round"]}
        y={[-2.5, 2.5, "vote α"]}
        label={`An error of ${error.value} gives a vote of ${a.toFixed(3)}.`}
      >
        {(at) => (
          <>
            <path class="curve-a" d={curve(alpha, [0.005, 0.995], at, [-2.5, 2.5])} />
            <path
              class="guide"
              d={`M${at.x(0.5)} ${at.y(-2.5)}V${at.y(2.5)}M${at.x(0)} ${at.y(0)}H${at.x(1)}`}
            />
            <circle class="mark-b" cx={at.x(error.value)} cy={at.y(a)} r={6} />
          </>
        )}
      </Plot>
      <p role="status">
        α = ½ ln((1 − ε)/ε) = {a.toFixed(3)}. Rows that it gets wrong are multiplied by e^α ={" "}
        {Math.exp(a).toFixed(2)}, the others by {Math.exp(-a).toFixed(2)}: afterwards both kinds weigh the
        same.
      </p>
      <Sliders of={[["error", error, [0.02, 0.98], 0.02]]} />
    </>
  );
}

export const boosting: Story = {
  name: "boosting",
  title: "AdaBoost, round by round",
  about: "Many weak rules, each trained on what the earlier ones got wrong.",
  pages: [
    figurePage(
      "The vote of a round",
      Vote,
      "A round that is right more often than wrong gets a positive vote, a coin none, and one that is mostly wrong a negative one: its opposite is useful.",
    ),
    {
      heading: "Weights move to the hard rows",
      text: [
        "Each round is a stump: one question about one column. The area of a row is its weight. Watch the weights gather along the boundary, and the votes of many straight cuts become a curve.",
      ],
      scene: {
        ...generatedPoints("moons", 160, 0.2, 4),
        models: [{ estimator: "AdaBoostClassifier", params: { nEstimators: 60 } }],
        plays: true,
        layers: { mistakes: false },
      },
    },
    {
      heading: "Exponential error",
      text: [
        "Every round lowers the exponential error, the objective under the picture, and confidence |C(v)| grows. Noisy rows are never given up: with many rounds they get islands of their own.",
      ],
      scene: {
        ...generatedPoints("rings", 160, 0.5, 2),
        models: [{ estimator: "AdaBoostClassifier", params: { nEstimators: 200 } }],
        controls: [{ param: "nEstimators", label: "rounds", values: [10, 50, 200, 500] }],
        layers: { mistakes: false },
      },
    },
  ],
};
