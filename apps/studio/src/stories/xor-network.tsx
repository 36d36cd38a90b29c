import { useSignal } from "@preact/signals";
import { Tick } from "../ui/fields/tick.js";

/** A neuron with step activation: 1 where bias + Σ weight · input ≥ 0. */
interface Neuron {
  readonly name: string;
  readonly bias: number;
  readonly weights: readonly number[];
}

/** XOR as AND(OR, NAND), layer by layer. */
const xorLayers: readonly (readonly Neuron[])[] = [
  [
    { name: "OR", bias: -0.5, weights: [1, 1] },
    { name: "NAND", bias: 1.5, weights: [-1, -1] },
  ],
  [{ name: "AND", bias: -1.5, weights: [1, 1] }],
];

/** What every layer returns, the inputs first. */
export function valuesOf(inputs: readonly number[]): readonly (readonly number[])[] {
  const values = [inputs];
  for (const layer of xorLayers) {
    const before = values.at(-1)!;
    values.push(
      layer.map(({ bias, weights }) =>
        weights.reduce((sum, weight, j) => sum + weight * before[j]!, bias) >= 0 ? 1 : 0,
      ),
    );
  }
  return values;
}

const RADIUS = 30;
const place = (layer: number, k: number, count: number): readonly [number, number] => [
  70 + 210 * layer,
  130 + 130 * (k - (count - 1) / 2),
];

const Edges = ({ values }: { readonly values: readonly (readonly number[])[] }) => (
  <>
    {xorLayers.flatMap((layer, l) =>
      layer.flatMap(({ weights }, k) =>
        weights.map((weight, j) => {
          const [fromX, fromY] = place(l, j, weights.length);
          const [toX, toY] = place(l + 1, k, layer.length);
          // A third of the way, where the lines of a layer do not cross.
          const [x, y] = [fromX + (toX - fromX) / 3, fromY + (toY - fromY) / 3];
          return (
            <g key={`${l} ${j} ${k}`}>
              <path
                class={values[l]![j] === 1 ? "edge lit" : "edge"}
                stroke-dasharray={weight < 0 ? "5 4" : undefined}
                d={`M${fromX} ${fromY}L${toX} ${toY}`}
              />
              <text class="weight" x={x} y={y - 5}>
                {weight < 0 ? "−1" : "+1"}
              </text>
            </g>
          );
        }),
      ),
    )}
  </>
);

/** The network of XOR: inputs, two hidden neurons and one output, with the values of the chosen inputs. */
export function XorNetwork() {
  const inputs = useSignal<readonly number[]>([0, 1]);
  const values = valuesOf(inputs.value);
  const [x1, x2] = inputs.value;
  const [or, nand] = values[1]!;
  const [answer] = values[2]!;
  return (
    <>
      <svg
        class="story-plot network"
        viewBox="0 0 560 260"
        role="img"
        aria-label={`A network for XOR. Inputs ${x1} and ${x2}: OR gives ${or}, NAND ${nand}, their AND ${answer}.`}
      >
        <Edges values={values} />
        {values.flatMap((layer, l) =>
          layer.map((value, k) => {
            const [x, y] = place(l, k, layer.length);
            const neuron = xorLayers[l - 1]?.[k];
            return (
              <g key={`${l} ${k}`} transform={`translate(${x} ${y})`}>
                <circle r={RADIUS} class={value === 1 ? "neuron lit" : "neuron"} />
                <text y={-4}>{neuron?.name ?? (k === 0 ? "x₁" : "x₂")}</text>
                <text y={14} class="value">
                  {value}
                </text>
                {neuron !== undefined && (
                  <text y={RADIUS + 16}>b = {String(neuron.bias).replace("-", "−")}</text>
                )}
              </g>
            );
          }),
        )}
      </svg>
      <div class="story-controls">
        {[0, 1].map((j) => (
          <Tick
            key={j}
            checked={inputs.value[j] === 1}
            onChange={(isOn) => {
              inputs.value = inputs.value.with(j, isOn ? 1 : 0);
            }}
          >
            {j === 0 ? "x₁" : "x₂"} is 1
          </Tick>
        ))}
      </div>
      <p role="status">
        {x1} XOR {x2} = {answer}. Dashed lines have negative weights; thick ones carry a 1.
      </p>
    </>
  );
}
