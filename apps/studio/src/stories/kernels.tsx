import { useSignal } from "@preact/signals";
import { maxOf, minOf } from "argmax/numeric";
import { Choice } from "../ui/fields/select.js";
import { curve, Plot, Slider, Sliders } from "./plot.js";
import { figurePage, generatedPoints, type Story } from "./story.js";

/** Kernels as functions of the distance r, with one parameter c. */
const profiles: Readonly<Record<string, (r: number, c: number) => number>> = {
  Gaussian: (r, c) => Math.exp((-r * r) / (2 * c * c)),
  Exponential: (r, c) => Math.exp(-r / (2 * c * c)),
  Laplacian: (r, c) => Math.exp(-r / c),
  Multiquadric: (r, c) => Math.sqrt(r * r + c * c),
  "Inverse multiquadric": (r, c) => 1 / Math.sqrt(r * r + c * c),
  "Rational quadratic": (r, c) => 1 - (r * r) / (r * r + c),
  "Thin-plate spline": (r) => (r === 0 ? 0 : r * r * Math.log(r)),
};

function Profiles() {
  const name = useSignal("Gaussian");
  const width = useSignal(1);
  const f = profiles[name.value]!;
  const values = Array.from({ length: 61 }, (_, k) => f(Math.abs(k / 10 - 3), width.value));
  const y = [minOf(values, 0), maxOf(values, 1)] as const;
  return (
    <>
      <Plot
        x={[-3, 3, "distance of two rows"]}
        y={[...y, "kernel"]}
        label={`The ${name.value} kernel: ${f(0, width.value).toFixed(2)} for equal rows, ${f(3, width.value).toFixed(2)} for rows at a distance of 3.`}
      >
        {(at) => <path class="curve-a" d={curve((r) => f(Math.abs(r), width.value), [-3, 3], at)} />}
      </Plot>
      <div class="story-controls">
        <Choice label="Kernel" of={name} names={Object.keys(profiles)} />
        <Slider label="width" min={0.2} max={2.5} step={0.1} of={width} />
      </div>
    </>
  );
}

/** Points inside and outside the unit circle, by angle and radius. */
const circle = Array.from({ length: 72 }, (_, k) => {
  const angle = k * 2.399963;
  const radius = k % 2 === 0 ? 0.25 + (0.5 * ((k * 7) % 12)) / 12 : 1.25 + (0.5 * ((k * 5) % 12)) / 12;
  return [radius * Math.cos(angle), radius * Math.sin(angle), radius] as const;
});

/** The circle lifted: v₃ = √(v₁² + v₂²), and the plane v₃ = 1 between the classes. */
function Lifted() {
  const tilt = useSignal(0);
  const a = (tilt.value * Math.PI) / 180;
  const place = ([x, y, z]: readonly [number, number, number]): [number, number] => [
    x * 120,
    -(y * Math.cos(a) + (z - 1) * Math.sin(a)) * 120,
  ];
  const corners = (
    [
      [-2, -2, 1],
      [2, -2, 1],
      [2, 2, 1],
      [-2, 2, 1],
    ] as const
  ).map(place);
  return (
    <>
      <svg
        class="story-plot"
        viewBox="-280 -260 560 520"
        role="img"
        aria-label={`Two classes, inside and outside a circle, seen at a tilt of ${tilt.value} degrees: ${tilt.value > 40 ? "the plane at height 1 lies between them" : "no line separates them"}.`}
      >
        {tilt.value > 0 && (
          <path class="plane" d={`M${corners.map((corner) => corner.join(" ")).join("L")}Z`} />
        )}
        {tilt.value === 0 && <circle r={120} class="curve-c" />}
        {circle.map(([x, y, z]) => {
          const [u, v] = place([x, y, z]);
          return z < 1 ? (
            <circle key={`${x}`} cx={u} cy={v} r={5} class="mark-a" />
          ) : (
            <rect key={`${x}`} x={u - 5} y={v - 5} width={10} height={10} class="mark-b" />
          );
        })}
      </svg>
      <Sliders of={[["tilt, degrees", tilt, [0, 90], 5]]} />
    </>
  );
}

export const kernels: Story = {
  name: "kernels",
  title: "Kernels",
  about: "Straight boundaries become curved ones when rows are compared by another similarity.",
  pages: [
    figurePage(
      "A circle, lifted",
      Lifted,
      "No line separates the rows inside the circle from those outside. Give every row a third coordinate, v₃ = √(v₁² + v₂²), and the plane v₃ = 1 does: tilt the picture to see it.",
      "A linear method on lifted rows is a curved one on the rows themselves.",
    ),
    figurePage(
      "A kernel is a similarity",
      Profiles,
      "Linear methods need inner products of rows only. A kernel takes their place: the inner product in a lifted space, without ever computing the lift. Each has a shape over the distance of two rows.",
      "The multiquadric grows with the distance and the thin-plate spline falls below zero: neither is positive definite, and solvers that need that refuse them.",
    ),
    {
      heading: "The width decides",
      text: [
        "The same rings, a support vector machine with a Gaussian kernel. With a small gamma every row reaches far and the boundary is nearly straight; with a large one each row holds an island of its own.",
      ],
      scene: {
        ...generatedPoints("rings", 160, 0.25, 1),
        models: [{ estimator: "SVC", params: { gamma: 1 } }],
        controls: [
          {
            param: "kernel",
            label: "kernel",
            values: ["rbf", "linear", "poly", "laplacian", "rationalQuadratic"],
          },
          { param: "gamma", label: "gamma", values: [0.01, 0.1, 0.3, 1, 3, 10, 100] },
        ],
        layers: { margin: true, supportVectors: true, mistakes: false },
      },
    },
  ],
};
