import { useSignal } from "@preact/signals";
import { Choice, Select } from "../ui/fields/select.js";
import { ScrollRegion, TableHead } from "../ui/table-parts.js";
import { curve, Plot, type PlotScales, Slider } from "./plot.js";
import { figurePage, generatedPoints, type Story } from "./story.js";
import { valuesOf, XorNetwork } from "./xor-network.js";

const inputs = [
  [0, 0],
  [0, 1],
  [1, 0],
  [1, 1],
] as const;
const gates: Readonly<
  Record<
    string,
    { readonly w: readonly [number, number]; readonly b: number; readonly wanted: readonly number[] }
  >
> = {
  AND: { w: [1, 1], b: -1.5, wanted: [0, 0, 0, 1] },
  OR: { w: [1, 1], b: -0.5, wanted: [0, 1, 1, 1] },
  NAND: { w: [-1, -1], b: 1.5, wanted: [1, 1, 1, 0] },
  XOR: { w: [1, 1], b: -0.5, wanted: [0, 1, 1, 0] },
};

/** One neuron with the Heaviside activation: its weights, its line and its truth table. */
function Gates() {
  const gate = useSignal("AND");
  const w1 = useSignal(1);
  const w2 = useSignal(1);
  const b = useSignal(-1.5);
  const choose = (name: string) => {
    const { w, b: bias } = gates[name]!;
    gate.value = name;
    w1.value = w[0];
    w2.value = w[1];
    b.value = bias;
  };
  const answer = (x: number, y: number) => (w1.value * x + w2.value * y + b.value >= 0 ? 1 : 0);
  const { wanted } = gates[gate.value]!;
  const right = inputs.filter(([x, y], k) => answer(x, y) === wanted[k]).length;
  const line = (x: number) => -(b.value + w1.value * x) / w2.value;
  return (
    <>
      <div class="story-controls">
        <label>
          Function <Select of={Object.keys(gates)} value={gate.value} onChange={(value) => choose(value)} />
        </label>
        <Slider label="w₁" min={-2} max={2} step={0.1} of={w1} />
        <Slider label="w₂" min={-2} max={2} step={0.1} of={w2} />
        <Slider label="bias" min={-3} max={3} step={0.1} of={b} />
      </div>
      <Plot
        x={[-0.5, 1.5, "x₁"]}
        y={[-0.5, 1.5, "x₂"]}
        height={420}
        label={`${gate.value}: the neuron is right on ${right} of four inputs.`}
      >
        {(at) => (
          <>
            {w2.value !== 0 && <path class="curve-c" d={curve(line, [-0.5, 1.5], at, [-0.5, 1.5])} />}
            <Inputs wanted={wanted} answer={answer} at={at} />
          </>
        )}
      </Plot>
      <p role="status">
        Right on {right} of 4 inputs.
        {gate.value === "XOR" ? " No weights get all four of XOR: no line separates its classes." : ""}
      </p>
    </>
  );
}

interface InputsProps {
  readonly wanted: readonly number[];
  readonly answer: (x: number, y: number) => number;
  readonly at: PlotScales;
}

/** The four inputs with what is wanted and what the neuron answers. */
const Inputs = ({ wanted, answer, at }: InputsProps) => (
  <>
    {inputs.map(([x, y], k) => (
      <g key={`${x}${y}`}>
        {wanted[k] === 1 ? (
          <rect class="mark-b" x={at.x(x) - 8} y={at.y(y) - 8} width={16} height={16} />
        ) : (
          <circle class="mark-a" cx={at.x(x)} cy={at.y(y)} r={9} />
        )}
        <text x={at.x(x) + 16} y={at.y(y) + 4} class="start">
          answers {answer(x, y)}
        </text>
      </g>
    ))}
  </>
);

/** OR and NAND of the inputs, then AND of both: XOR. */
function Hidden() {
  return (
    <>
      <XorNetwork />
      <TruthTable />
    </>
  );
}

function TruthTable() {
  return (
    <ScrollRegion label="Truth table">
      <table>
        <caption>XOR = AND(OR, NAND): two hidden neurons and one output.</caption>
        <TableHead
          titles={[
            "x₁",
            "x₂",
            "OR: x₁ + x₂ − 0.5 ≥ 0",
            "NAND: −x₁ − x₂ + 1.5 ≥ 0",
            "AND of both",
            "two-step of x₁ + x₂",
          ]}
        />
        <tbody>
          {inputs.map(([x, y]) => {
            const [, [or, nand] = [], [and] = []] = valuesOf([x, y]);
            return (
              <tr key={`${x}${y}`}>
                <td>{x}</td>
                <td>{y}</td>
                <td>{or}</td>
                <td>{nand}</td>
                <td>
                  <strong>{and}</strong>
                </td>
                <td>{x + y >= 0.5 && x + y < 1.5 ? 1 : 0}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

const activations: Readonly<Record<string, (z: number, a: number, c: number) => number>> = {
  sign: (z) => (z >= 0 ? 1 : -1),
  Heaviside: (z) => (z >= 0 ? 1 : 0),
  "two-step": (z) => (z >= -1 && z < 1 ? 1 : 0),
  linear: (z, a) => a * z,
  sigmoid: (z, a, c) => 1 / (1 + Math.exp(-a * (z - c))),
  tanh: (z, a) => Math.tanh(a * z),
  Gaussian: (z, a) => Math.exp(-a * z * z),
  "inverse multiquadric": (z, a) => 1 / Math.sqrt(z * z + a * a),
  relu: (z) => Math.max(0, z),
};

function Activations() {
  const name = useSignal("sigmoid");
  const a = useSignal(1);
  const c = useSignal(0);
  const f = activations[name.value]!;
  return (
    <>
      <Plot
        x={[-4, 4, "propagation z = w·x + b"]}
        y={[-1.5, 2, "activation"]}
        label={`The ${name.value} activation: ${f(-2, a.value, c.value).toFixed(2)} at −2, ${f(0, a.value, c.value).toFixed(2)} at 0, ${f(2, a.value, c.value).toFixed(2)} at 2.`}
      >
        {(at) => <path class="curve-a" d={curve((z) => f(z, a.value, c.value), [-4, 4], at, [-1.5, 2])} />}
      </Plot>
      <div class="story-controls">
        <Choice label="Activation" of={name} names={Object.keys(activations)} />
        <Slider label="a" min={0.2} max={5} step={0.1} of={a} />
        <Slider label="c" min={-2} max={2} step={0.1} of={c} />
      </div>
    </>
  );
}

export const neurons: Story = {
  name: "neurons",
  title: "One neuron, and the XOR problem",
  about: "A neuron draws a line. Two lines and a third neuron do what no line can.",
  pages: [
    figurePage(
      "Activations",
      Activations,
      "A neuron adds up its weighted inputs and applies a function. Heaviside and sign have no derivative to learn by; the sigmoid is their smooth form, steeper with a larger a.",
    ),
    figurePage(
      "AND, OR, NAND – and XOR",
      Gates,
      "Squares should answer 1, discs 0. Choose a function, or move the weights yourself. Then try XOR.",
    ),
    figurePage(
      "A hidden layer",
      Hidden,
      "OR and NAND are lines; rows between them are XOR. An activation with two steps does it in one neuron.",
    ),
    {
      heading: "Training finds it",
      text: [
        "A network with one hidden layer, from random weights. With two hidden units it often gets stuck, with more it rarely does: change their number, and watch the epochs.",
      ],
      scene: {
        ...generatedPoints("xor", 200, 0.1, 6),
        models: [
          {
            estimator: "MLPClassifier",
            params: { hiddenLayerSizes: [8], activation: "tanh", maxIter: 300, learningRateInit: 0.02 },
          },
        ],
        controls: [
          { param: "hiddenLayerSizes", label: "hidden units", values: [[2], [3], [4], [8], [16, 16]] },
          { param: "activation", label: "activation", values: ["tanh", "relu", "logistic"] },
          { param: "randomState", label: "start", values: [0, 1, 2, 3, 4] },
        ],
        plays: true,
        layers: { mistakes: false },
      },
    },
  ],
};
