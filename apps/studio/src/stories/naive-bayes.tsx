import { useSignal } from "@preact/signals";
import { curve, Plot, Sliders } from "./plot.js";
import { figurePage, generatedPoints, penguinsBy, type Story } from "./story.js";

/** A feature with a likelihood ratio, counted as often as it is copied. */
function Copied() {
  const copies = useSignal(1);
  const ratio = useSignal(3);
  const prior = useSignal(0.2);
  const posterior = (n: number) => {
    const odds = (prior.value / (1 - prior.value)) * ratio.value ** n;
    return odds / (1 + odds);
  };
  return (
    <>
      <Plot
        x={[1, 8, "copies of the feature"]}
        y={[0, 1, "posterior of the class"]}
        label={`With ${copies.value} copies the posterior is ${posterior(copies.value).toFixed(3)}; it should stay ${posterior(1).toFixed(3)}.`}
      >
        {(at) => (
          <>
            <path class="guide" d={`M${at.x(1)} ${at.y(posterior(1))}H${at.x(8)}`} />
            <path class="curve-a" d={curve(posterior, [1, 8], at)} />
            <circle class="mark-b" cx={at.x(copies.value)} cy={at.y(posterior(copies.value))} r={6} />
          </>
        )}
      </Plot>
      <p role="status">
        Evidence that is counted {copies.value === 1 ? "once" : `${copies.value} times`}:{" "}
        {(100 * posterior(copies.value)).toFixed(1)} %. A copy adds no information, so{" "}
        {(100 * posterior(1)).toFixed(1)} % would be right.
      </p>
      <Sliders
        of={[
          ["copies", copies, [1, 8], 1],
          ["likelihood ratio", ratio, [1, 10], 0.5],
          ["prior", prior, [0.05, 0.95], 0.05],
        ]}
      />
    </>
  );
}

export const naiveBayes: Story = {
  name: "naive-bayes",
  title: "Naive Bayes and the copied feature",
  about: "Features count as if they were independent: quick, and overconfident where they are not.",
  pages: [
    {
      heading: "One Gaussian per column and class",
      text: [
        "Within a class the columns are taken as independent, so the ellipses of naive Bayes stand upright. The next story compares it with discriminants, which use the covariance.",
      ],
      scene: {
        ...penguinsBy("billLength", "billDepth"),
        models: [{ estimator: "GaussianNB", params: {} }],
        layers: { mistakes: false },
      },
    },
    figurePage(
      "A feature, copied",
      Copied,
      "Copy a column, and its evidence is multiplied in again. The answer may stay right, but the probability can no longer be trusted: recalibrate it in Evaluate.",
    ),
    {
      heading: "Where it fails",
      text: ["XOR: each column alone says nothing about the class, and naive Bayes looks at each alone."],
      scene: {
        ...generatedPoints("xor", 240, 0.05, 1),
        models: [
          { estimator: "GaussianNB", params: {} },
          { estimator: "DecisionTreeClassifier", params: { maxDepth: 3 } },
        ],
      },
    },
  ],
};
