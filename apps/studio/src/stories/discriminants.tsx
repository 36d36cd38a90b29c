import { useSignal } from "@preact/signals";
import { Plot, type PlotScales, Sliders } from "./plot.js";
import { figurePage, generatedPoints, penguinsBy, type Story } from "./story.js";

/** Log-likelihood ratio of two Gaussians at (±1, 0): the first of unit covariance, the second of variances a and b. */
const ratio = (x: number, y: number, a: number, b: number): number =>
  ((x + 1) ** 2 + y ** 2) / 2 - ((x - 1) ** 2 / a + y ** 2 / b) / 2 - Math.log(a * b) / 2;

function conicName(a: number, b: number): string {
  const [p, q] = [1 - 1 / a, 1 - 1 / b];
  if (Math.abs(p) < 1e-9 && Math.abs(q) < 1e-9) return "a line: equal covariances, LDA";
  if (Math.abs(p) < 1e-9 || Math.abs(q) < 1e-9) return "a parabola";
  if (p * q > 0) return Math.abs(p - q) < 1e-9 ? "a circle" : "an ellipse";
  return "a hyperbola";
}

const CELLS = 96;

/** The cells in which the second Gaussian is likelier. */
function regionPath(at: PlotScales, a: number, b: number): string {
  const size = 10 / CELLS;
  const width = (at.x(size) - at.x(0) + 0.4).toFixed(1);
  const height = (at.y(0) - at.y(size) + 0.4).toFixed(1);
  const cells: string[] = [];
  for (let i = 0; i < CELLS; i++)
    for (let j = 0; j < CELLS; j++) {
      const [x, y] = [-5 + (j + 0.5) * size, -5 + (i + 0.5) * size];
      if (ratio(x, y, a, b) <= 0) continue;
      const corner = `${at.x(x - size / 2).toFixed(1)} ${at.y(y + size / 2).toFixed(1)}`;
      cells.push(`M${corner}h${width}v${height}h-${width}z`);
    }
  return cells.join("");
}

/** The boundary of two Gaussians: a conic, whose kind follows from the covariances. */
function Conics() {
  const a = useSignal(1);
  const b = useSignal(1);
  const range = [-5, 5] as const;
  const name = conicName(a.value, b.value);
  return (
    <>
      <Plot x={range} y={range} height={480} label={`The boundary between the two Gaussians is ${name}.`}>
        {(at) => (
          <>
            <path class="region-b" d={regionPath(at, a.value, b.value)} />
            {[1, 2].map((k) => (
              <g key={k}>
                <ellipse
                  class="curve-a"
                  cx={at.x(-1)}
                  cy={at.y(0)}
                  rx={at.x(k) - at.x(0)}
                  ry={at.y(0) - at.y(k)}
                />
                <ellipse
                  class="curve-b"
                  cx={at.x(1)}
                  cy={at.y(0)}
                  rx={at.x(k * Math.sqrt(a.value)) - at.x(0)}
                  ry={at.y(0) - at.y(k * Math.sqrt(b.value))}
                />
              </g>
            ))}
          </>
        )}
      </Plot>
      <p role="status">
        The boundary is <strong>{name}</strong>.
      </p>
      <Sliders
        of={[
          ["variance across", a, [0.2, 4], 0.1],
          ["variance up", b, [0.2, 4], 0.1],
        ]}
      />
    </>
  );
}

export const discriminants: Story = {
  name: "discriminants",
  title: "Discriminants: QDA, LDA and their conics",
  about: "One Gaussian per class gives a boundary that is a conic; equal covariances make it a line.",
  pages: [
    figurePage(
      "Where two Gaussians are equally likely",
      Conics,
      "Model every class by a Gaussian and answer with the likelier one. The boundary vᵀAv + vᵀb + c = 0, with A = ½(Σ₁⁻¹ − Σ₀⁻¹), is a conic. Change the covariance of the second class (its ellipses are at one and two deviations) and read which.",
    ),
    {
      heading: "On penguins",
      text: [
        "Quadratic discriminants have a covariance per class, linear ones share it: A = 0, straight lines. Gaussian naive Bayes also has a Gaussian per class, but without covariances between columns: its ellipses stand upright.",
      ],
      scene: {
        ...penguinsBy("billLength", "flipperLength"),
        models: [
          { estimator: "QuadraticDiscriminantAnalysis", params: {} },
          { estimator: "LinearDiscriminantAnalysis", params: {} },
          { estimator: "GaussianNB", params: {} },
        ],
      },
    },
    {
      heading: "What a line cannot do",
      text: [
        "Moons are not Gaussian. The quadratic boundary bends once, the linear one not at all; a method without a density per class follows them.",
      ],
      scene: {
        ...generatedPoints("moons", 240, 0.18, 2),
        models: [
          { estimator: "LinearDiscriminantAnalysis", params: {} },
          { estimator: "QuadraticDiscriminantAnalysis", params: {} },
          { estimator: "KNeighborsClassifier", params: {} },
        ],
      },
    },
  ],
};
