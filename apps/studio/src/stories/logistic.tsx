import { useSignal } from "@preact/signals";
import { curve, Plot, Sliders } from "./plot.js";
import { figurePage, generatedPoints, planeOf, type Story } from "./story.js";

function Sigmoid() {
  const w = useSignal(1);
  const b = useSignal(0);
  const sigma = (x: number) => 1 / (1 + Math.exp(-(w.value * x + b.value)));
  return (
    <>
      <Plot
        x={[-6, 6, "x"]}
        y={[0, 1, "P(class 1)"]}
        label={`The sigmoid of ${w.value}·x + ${b.value}: one half at x = ${w.value === 0 ? "no point" : (-b.value / w.value).toFixed(2)}.`}
      >
        {(at) => (
          <>
            <path class="guide" d={`M${at.x(-6)} ${at.y(0.5)}H${at.x(6)}`} />
            <path class="curve-a" d={curve(sigma, [-6, 6], at)} />
          </>
        )}
      </Plot>
      <Sliders
        of={[
          ["w", w, [-4, 4], 0.1],
          ["b", b, [-4, 4], 0.1],
        ]}
      />
    </>
  );
}

export const logistic: Story = {
  name: "logistic",
  title: "From lines to probabilities",
  about: "The perceptron, logistic regression, and how they descend.",
  pages: [
    figurePage(
      "The sigmoid",
      Sigmoid,
      "Logistic regression turns a linear form into a probability. Larger weights make it surer, not different.",
    ),
    {
      heading: "The perceptron corrects its mistakes",
      text: ["It moves the line only when a row is wrong, and stops once none is. Go through its passes."],
      scene: {
        kind: "models",
        source: {
          kind: "painted",
          points: [
            [0.2, 0.3, 0],
            [0.3, 0.6, 0],
            [0.15, 0.7, 0],
            [0.4, 0.35, 0],
            [0.3, 0.15, 0],
            [0.7, 0.6, 1],
            [0.8, 0.35, 1],
            [0.65, 0.85, 1],
            [0.9, 0.7, 1],
            [0.75, 0.15, 1],
            [0.55, 0.6, 1],
          ],
        },
        ...planeOf,
        models: [{ estimator: "Perceptron", params: {} }],
        plays: true,
        layers: { margin: false, mistakes: false },
      },
    },
    {
      heading: "Gradient descent",
      text: [
        "Logistic regression lowers its mean loss step by step. The objective under the picture falls, and the shades show how sure it has become.",
      ],
      scene: {
        ...generatedPoints("moons", 200, 0.3, 3),
        models: [{ estimator: "LogisticRegression", params: {} }],
        controls: [
          { param: "C", label: "C, the inverse of the penalty", values: [0.001, 0.01, 0.1, 1, 10, 100] },
        ],
        plays: true,
        layers: { mistakes: false },
      },
    },
  ],
};
