import { useSignal } from "@preact/signals";
import { maxOf } from "argmax/numeric";
import { ScrollRegion, TableHead } from "../ui/table-parts.js";
import { curve, Plot, Sliders } from "./plot.js";
import { figurePage, generatedPoints, type Story } from "./story.js";

const log2 = (p: number): number => (p <= 0 ? 0 : Math.log2(p));
const entropy = (shares: readonly number[]): number => -shares.reduce((sum, p) => sum + p * log2(p), 0);
const gini = (shares: readonly number[]): number => 1 - shares.reduce((sum, p) => sum + p * p, 0);
const nodeError = (shares: readonly number[]): number => 1 - maxOf(shares);

function Functions() {
  const p = useSignal(0.3);
  const two = (q: number) => [q, 1 - q];
  const rows = [
    ["Entropy", entropy(two(p.value)), "a"],
    ["Gini", gini(two(p.value)), "b"],
    ["Node error", nodeError(two(p.value)), "c"],
  ] as const;
  return (
    <>
      <Plot
        x={[0, 1, "fraction of the first class"]}
        y={[0, 1, "impurity"]}
        label={`At a fraction of ${p.value}: ${rows.map(([name, value]) => `${name} ${value.toFixed(3)}`).join(", ")}.`}
      >
        {(at) => (
          <>
            <path class="curve-a" d={curve((q) => entropy(two(q)), [0, 1], at)} />
            <path class="curve-b" d={curve((q) => gini(two(q)), [0, 1], at)} />
            <path class="curve-c" d={curve((q) => nodeError(two(q)), [0, 1], at)} />
            <path class="guide" d={`M${at.x(p.value)} ${at.y(0)}V${at.y(1)}`} />
          </>
        )}
      </Plot>
      <ul class="story-legend">
        {rows.map(([name, value, color]) => (
          <li key={name} class={`curve-name-${color}`}>
            {name}: {value.toFixed(3)}
          </li>
        ))}
      </ul>
      <Sliders of={[["fraction", p, [0, 1], 0.01]]} />
    </>
  );
}

interface Split {
  readonly name: string;
  readonly sides: readonly (readonly number[])[];
}

/** Counts of the classes on each side, with what each impurity makes of the split. */
function SplitTable({
  root,
  splits,
  places,
}: {
  readonly root: readonly number[];
  readonly splits: readonly Split[];
  readonly places: number;
}) {
  const shares = (counts: readonly number[]) => {
    const total = counts.reduce((sum, n) => sum + n, 0);
    return counts.map((n) => n / total);
  };
  const total = root.reduce((sum, n) => sum + n, 0);
  const gain = (impurity: (shares: readonly number[]) => number, { sides }: Split) =>
    impurity(shares(root)) -
    sides.reduce((sum, side) => sum + (side.reduce((s, n) => s + n, 0) / total) * impurity(shares(side)), 0);
  const figure = (value: number) => (Math.abs(value) < 1e-12 ? 0 : value).toFixed(places);
  return (
    <ScrollRegion label="Splits">
      <table>
        <caption>
          Root: {root.join(" and ")} rows of the two classes; entropy {entropy(shares(root)).toFixed(2)}.
        </caption>
        <TableHead
          titles={[
            "Split",
            "Left",
            "Right",
            "Entropy left, right",
            "Information gain",
            "Gini decrease",
            "Error decrease",
          ]}
        />
        <tbody>
          {splits.map((split) => (
            <tr key={split.name}>
              <th scope="row">{split.name}</th>
              {split.sides.map((side) => (
                <td key={side.join()}>{side.join(" and ")}</td>
              ))}
              <td>{split.sides.map((side) => Math.abs(entropy(shares(side))).toFixed(2)).join(", ")}</td>
              <td>{figure(gain(entropy, split))}</td>
              <td>{figure(gain(gini, split))}</td>
              <td>{figure(gain(nodeError, split))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

const Fruit = () => (
  <SplitTable
    root={[2, 5]}
    places={3}
    splits={[
      {
        name: "A",
        sides: [
          [0, 2],
          [2, 3],
        ],
      },
      {
        name: "B",
        sides: [
          [1, 3],
          [1, 2],
        ],
      },
    ]}
  />
);
const FourHundred = () => (
  <SplitTable
    root={[400, 400]}
    places={4}
    splits={[
      {
        name: "first",
        sides: [
          [100, 300],
          [300, 100],
        ],
      },
      {
        name: "second",
        sides: [
          [200, 400],
          [200, 0],
        ],
      },
    ]}
  />
);

export const impurity: Story = {
  name: "impurity",
  title: "Trees: impurity and splits",
  about:
    "A tree asks the question that makes its two sides purest; what is pure can be measured in several ways.",
  pages: [
    figurePage(
      "Three measures of impurity",
      Functions,
      "Each is zero for a pure node, largest for equal proportions, and symmetric. Entropy and Gini are curved, the node error has a corner: that makes a difference.",
    ),
    figurePage(
      "Two splits of seven fruits",
      Fruit,
      "Seven rows, two of one class and five of the other. Split A leaves one side pure; split B does not. Both have the same misclassification rate, 2/7, but A gains 0.17 bits and B 0.006.",
    ),
    figurePage(
      "Why not the node error",
      FourHundred,
      "400 rows of each class. Both splits lower the error alike, to one quarter. The second leaves a pure node: Gini and entropy prefer it, and so would you.",
    ),
    {
      heading: "A tree grows",
      text: [
        "Leaf by leaf, the best split first. Every boundary is parallel to an axis, and the more leaves, the more the tree follows single rows.",
      ],
      scene: {
        ...generatedPoints("spirals", 200, 0.15, 5),
        models: [{ estimator: "DecisionTreeClassifier", params: {} }],
        controls: [{ param: "criterion", label: "criterion", values: ["gini", "entropy"] }],
        plays: true,
        layers: { mistakes: false },
      },
    },
  ],
};
