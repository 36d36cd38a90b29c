import { useSignal } from "@preact/signals";
import { curve, Plot, type PlotScales, Sliders } from "./plot.js";
import { figurePage, type Story } from "./story.js";

/** The loss (w − m)ᵀH(w − m), whose minimum m a penalty moves. */
const H = [1, 0.55, 0.6] as const;
const M = [1.6, 0.9] as const;

const loss = (u: number, v: number): number =>
  H[0] * (u - M[0]) ** 2 + 2 * H[1] * (u - M[0]) * (v - M[1]) + H[2] * (v - M[1]) ** 2;

/** The minimum of loss + λ‖w‖²: (H + λI)w = Hm. */
function ridge(lambda: number): [number, number] {
  const [a, b, c] = [H[0] + lambda, H[1], H[2] + lambda];
  const [p, q] = [H[0] * M[0] + H[1] * M[1], H[1] * M[0] + H[2] * M[1]];
  const det = a * c - b * b;
  return [(c * p - b * q) / det, (a * q - b * p) / det];
}

/** The minimum of loss + 2λ‖w‖₁, one coordinate after the other. */
function lasso(lambda: number): [number, number] {
  const soft = (z: number) => Math.sign(z) * Math.max(0, Math.abs(z) - lambda);
  let [u, v] = [M[0] as number, M[1] as number];
  for (let k = 0; k < 200; k++) {
    u = soft(H[0] * M[0] - H[1] * (v - M[1])) / H[0];
    v = soft(H[2] * M[1] - H[1] * (u - M[0])) / H[2];
  }
  return [u, v];
}

function Contours({ kind }: { readonly kind: "ridge" | "lasso" }) {
  const strength = useSignal(0.5);
  const solve = kind === "ridge" ? ridge : lasso;
  const [u, v] = solve(strength.value);
  const radius = kind === "ridge" ? Math.hypot(u, v) : Math.abs(u) + Math.abs(v);
  const level = loss(u, v);
  const path = Array.from({ length: 61 }, (_, k) => solve(k / 20));
  return (
    <>
      <Plot
        x={[-0.6, 3, "w₁"]}
        y={[-1, 2.6, "w₂"]}
        height={480}
        label={`Contours of the loss and the ${kind === "ridge" ? "circle" : "diamond"} of the penalty touch at w₁ = ${u.toFixed(2)}, w₂ = ${v.toFixed(2)}.`}
      >
        {(at) => (
          <>
            {[0.25, 1, 2.2].map((factor) => (
              <path
                key={factor}
                class={factor === 1 ? "curve-a thick" : "curve-a"}
                d={ellipse(Math.max(level, 1e-4) * factor, at)}
              />
            ))}
            <path
              class="curve-b"
              d={
                kind === "ridge"
                  ? circlePath(radius, at)
                  : `M${at.x(radius)} ${at.y(0)}L${at.x(0)} ${at.y(radius)}L${at.x(-radius)} ${at.y(0)}L${at.x(0)} ${at.y(-radius)}Z`
              }
            />
            <path
              class="curve-c"
              d={path.map(([x, y], k) => `${k === 0 ? "M" : "L"}${at.x(x)} ${at.y(y)}`).join("")}
            />
            <circle class="mark-ink" cx={at.x(M[0])} cy={at.y(M[1])} r={4} />
            <circle class="mark-b" cx={at.x(u)} cy={at.y(v)} r={6} />
          </>
        )}
      </Plot>
      <p role="status">
        w = ({u.toFixed(3)}, {v.toFixed(3)})
        {kind === "lasso" && Math.abs(v) < 1e-9 ? ": the second weight is exactly zero" : ""}.
      </p>
      <Sliders of={[["strength λ", strength, [0, 1.6], 0.02]]} />
    </>
  );
}

/** The contour loss = level: a unit circle through the inverse Cholesky factor. */
function ellipse(level: number, at: PlotScales): string {
  const l = Math.sqrt(H[0]);
  const m = H[1] / l;
  const n = Math.sqrt(H[2] - m * m);
  return closed((c, s) => {
    const v = (Math.sqrt(level) * s) / n;
    return [M[0] + (Math.sqrt(level) * c - m * v) / l, M[1] + v];
  }, at);
}

const circlePath = (radius: number, at: PlotScales) => closed((c, s) => [radius * c, radius * s], at);

function closed(point: (c: number, s: number) => readonly [number, number], at: PlotScales): string {
  const corners = Array.from({ length: 90 }, (_, k) => {
    const angle = (2 * Math.PI * k) / 90;
    const [x, y] = point(Math.cos(angle), Math.sin(angle));
    return `${at.x(x).toFixed(1)} ${at.y(y).toFixed(1)}`;
  });
  return `M${corners.join("L")}Z`;
}

const Ridge = () => <Contours kind="ridge" />;
const Lasso = () => <Contours kind="lasso" />;

function Priors() {
  return (
    <Plot
      x={[-4, 4, "weight"]}
      y={[0, 0.75, "density"]}
      label="The Gaussian prior is round at zero, the Laplace prior has a peak there and longer tails."
    >
      {(at) => (
        <>
          <path
            class="curve-a"
            d={curve((w) => Math.exp((-w * w) / 2) / Math.sqrt(2 * Math.PI), [-4, 4], at)}
          />
          <path
            class="curve-b"
            d={curve((w) => Math.exp(-Math.SQRT2 * Math.abs(w)) / Math.SQRT2, [-4, 4], at)}
          />
          <text class="curve-name-a" x={at.x(1.2)} y={at.y(0.26)}>
            Gaussian: ridge
          </text>
          <text class="curve-name-b" x={at.x(0.3)} y={at.y(0.62)}>
            Laplace: lasso
          </text>
        </>
      )}
    </Plot>
  );
}

export const penalties: Story = {
  name: "penalties",
  title: "Ridge and lasso",
  about: "A penalty on the weights, seen as a ball that the contours of the loss touch.",
  pages: [
    figurePage(
      "Ridge: a circle",
      Ridge,
      "The ellipses are weights of equal loss around the least-squares solution (the dot). The ridge allows weights inside a circle only: the solution is where an ellipse touches it. With a larger λ the circle shrinks and the solution walks along the path to zero, but never onto an axis.",
    ),
    figurePage(
      "Lasso: a diamond",
      Lasso,
      "The lasso's ball has corners on the axes. An ellipse that touches a corner has a weight that is exactly zero: the lasso chooses columns. Raise λ until the second weight vanishes.",
    ),
    figurePage(
      "The same as priors",
      Priors,
      "The penalties are what is assumed before any row is seen: a Gaussian prior of the weights gives the ridge, a Laplace prior, with its peak at zero, the lasso.",
    ),
    {
      heading: "On a plane of two columns",
      text: ["Diabetes, two of its ten columns. The weights shrink as alpha grows, and the plane flattens."],
      scene: {
        kind: "models",
        source: { kind: "included", name: "diabetes" },
        roles: {
          progression: "target",
          age: "ignore",
          sex: "ignore",
          bp: "ignore",
          s1: "ignore",
          s2: "ignore",
          s3: "ignore",
          s4: "ignore",
          s6: "ignore",
        },
        axes: ["bmi", "s5"],
        models: [
          { estimator: "Ridge", params: { alpha: 1 } },
          { estimator: "Lasso", params: { alpha: 1 } },
        ],
        controls: [{ param: "alpha", label: "alpha", values: [0.01, 0.1, 1, 5, 20, 100] }],
      },
    },
  ],
};
