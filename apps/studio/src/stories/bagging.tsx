import { useSignal } from "@preact/signals";
import { curve, Plot, Sliders } from "./plot.js";
import { figurePage, planeOf, type Story } from "./story.js";

function Variance() {
  const rho = useSignal(0.3);
  const members = useSignal(20);
  const variance = (m: number) => rho.value + (1 - rho.value) / m;
  return (
    <>
      <Plot
        x={[1, 100, "members m"]}
        y={[0, 1, "variance of the mean"]}
        label={`With a correlation of ${rho.value}, ${members.value} members have ${variance(members.value).toFixed(3)} of the variance of one.`}
      >
        {(at) => (
          <>
            <path class="curve-a" d={curve(variance, [1, 100], at)} />
            <path class="guide" d={`M${at.x(1)} ${at.y(rho.value)}H${at.x(100)}`} />
            <circle class="mark-b" cx={at.x(members.value)} cy={at.y(variance(members.value))} r={6} />
          </>
        )}
      </Plot>
      <p role="status">
        ρ + (1 − ρ)/m = {variance(members.value).toFixed(3)}: more members never go below the correlation ρ of
        two of them.
      </p>
      <Sliders
        of={[
          ["correlation ρ", rho, [0, 1], 0.05],
          ["members m", members, [1, 100], 1],
        ]}
      />
    </>
  );
}

const source = { kind: "generated", shape: "moons", rows: 200, noise: 0.35, balance: 0.5, seed: 8 } as const;

export const bagging: Story = {
  name: "bagging",
  title: "Bagging and forests",
  about: "Averages of many trees, each grown on rows drawn with replacement: the same bias, less variance.",
  pages: [
    {
      heading: "One tree, many trees",
      text: [
        "One full tree follows every row. Bagging grows trees on resamples and averages their answers; a forest also lets every split choose among some columns only, so that its trees differ more.",
      ],
      scene: {
        kind: "models",
        source,
        ...planeOf,
        models: [
          { estimator: "DecisionTreeClassifier", params: {} },
          { estimator: "BaggingClassifier", params: { nEstimators: 50 } },
          { estimator: "RandomForestClassifier", params: { nEstimators: 50, maxFeatures: 1 } },
        ],
      },
    },
    {
      heading: "Tree after tree",
      text: ["Each tree is overconfident and wrong in its own places; the average becomes smooth. Play it."],
      scene: {
        kind: "models",
        source,
        ...planeOf,
        models: [{ estimator: "RandomForestClassifier", params: { nEstimators: 60 } }],
        plays: true,
        layers: { mistakes: false },
      },
    },
    figurePage(
      "How much averaging helps",
      Variance,
      "The variance of a mean of m members with pairwise correlation ρ. Trees on resamples of the same rows are alike: that is what limits bagging.",
    ),
  ],
};
