import { type Signal, useSignal } from "@preact/signals";
import { Slider } from "./plot.js";
import { figurePage, type Story } from "./story.js";

const places = (value: number) => String(Number(value.toFixed(3)));

const list = (values: readonly number[]) => `[${values.map(places).join(", ")}]`;
const matrix = (rows: readonly (readonly number[])[]) => rows.map(list).join(" ");

const W = [
  [0.1, 0.5],
  [-0.3, 0.8],
] as const;

const stages = [
  "forward: q, then f",
  "backward: ∂f/∂f = 1",
  "∂f/∂q = 2q",
  "∂f/∂W = ∂f/∂q · xᵀ and ∂f/∂x = Wᵀ · ∂f/∂q",
];

/** f = ‖W·x‖² forward and backward, with the numbers of the note. */
function Graph() {
  const stage = useSignal(0);
  const x1 = useSignal(0.2);
  const x2 = useSignal(0.4);
  const x = [x1.value, x2.value] as const;
  const q = W.map(([a, b]) => a * x[0] + b * x[1]) as [number, number];
  const f = q[0] ** 2 + q[1] ** 2;
  const dq = [2 * q[0], 2 * q[1]] as const;
  const dW = dq.map((d) => x.map((value) => d * value));
  const dx = [0, 1].map((j) => W[0][j]! * dq[0] + W[1][j]! * dq[1]);
  const boxes = [
    { name: "W", y: 40, x: 20, value: matrix(W), gradient: matrix(dW), from: 3 },
    { name: "x", y: 170, x: 20, value: list(x), gradient: list(dx), from: 3 },
    { name: "q = W·x", y: 105, x: 230, value: list(q), gradient: list(dq), from: 2 },
    { name: "f = ‖q‖²", y: 105, x: 420, value: places(f), gradient: "1", from: 1 },
  ];
  return (
    <>
      <svg
        class="story-plot graph"
        viewBox="0 0 570 250"
        role="img"
        aria-label={`q is ${list(q)}, f is ${places(f)}${stage.value > 0 ? `; the gradient of W is ${matrix(dW)}, that of x ${list(dx)}` : ""}.`}
      >
        <path class="edge" d="M180 60L230 115M180 190L230 135M390 125H420" />
        {boxes.map(({ name, x: left, y, value, gradient, from }) => (
          <g key={name} transform={`translate(${left} ${y})`}>
            <rect width={name.startsWith("f") ? 130 : 160} height={48} rx={8} />
            <text x={8} y={18} class="start strong">
              {name}
            </text>
            <text x={8} y={38} class="start">
              {value}
            </text>
            {stage.value >= from && (
              <text x={8} y={64} class="start gradient">
                ∂f: {gradient}
              </text>
            )}
          </g>
        ))}
      </svg>
      <p role="status">{stages[stage.value]}</p>
      <div class="story-controls">
        <StageButtons stage={stage} />
        <Slider label="x₁" min={-1} max={1} step={0.1} of={x1} />
        <Slider label="x₂" min={-1} max={1} step={0.1} of={x2} />
      </div>
    </>
  );
}

const StageButtons = ({ stage }: { readonly stage: Signal<number> }) => (
  <>
    <button
      type="button"
      disabled={stage.value === 0}
      onClick={() => {
        stage.value--;
      }}
    >
      Back
    </button>
    <button
      type="button"
      class="primary"
      disabled={stage.value === stages.length - 1}
      onClick={() => {
        stage.value++;
      }}
    >
      Next step of the chain rule
    </button>
  </>
);

export const backPropagation: Story = {
  name: "back-propagation",
  title: "Back-propagation on a small graph",
  about: "The chain rule from the end to the beginning: every box needs its own derivative only.",
  pages: [
    figurePage(
      "f = ‖W·x‖²",
      Graph,
      "Forward, every box computes its value. Backward, every box multiplies the gradient that it gets with its own derivative and passes it on. With the numbers of the lecture, q = [0.22, 0.26] and f = 0.116.",
    ),
  ],
};
