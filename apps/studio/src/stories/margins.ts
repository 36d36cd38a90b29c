import { generatedPoints, paintedSource, planeOf, type Story } from "./story.js";

const apart = [
  [0.14, 0.3, 0],
  [0.22, 0.52, 0],
  [0.28, 0.2, 0],
  [0.18, 0.72, 0],
  [0.34, 0.4, 0],
  [0.1, 0.5, 0],
  [0.3, 0.62, 0],
  [0.66, 0.78, 1],
  [0.72, 0.5, 1],
  [0.84, 0.66, 1],
  [0.78, 0.3, 1],
  [0.92, 0.44, 1],
  [0.62, 0.62, 1],
  [0.88, 0.84, 1],
] as const;
const mixed = [...apart, [0.6, 0.36, 0], [0.42, 0.7, 1], [0.5, 0.5, 0]] as const;

export const margins: Story = {
  name: "margins",
  title: "Margins and slack",
  about: "Of all lines that separate two classes, the one with the most room on both sides.",
  pages: [
    {
      heading: "The widest street",
      text: [
        "Many lines separate these two classes. The optimal-margin classifier takes the one whose distance to the nearest row is largest: the dashed lines f = −1 and f = +1 are the edges of the street, f = 0 is its middle.",
        "Only the ringed rows hold the street: the support vectors. Every other row could be moved or removed, and nothing would change.",
      ],
      scene: {
        kind: "models",
        source: paintedSource(apart),
        ...planeOf,
        models: [{ estimator: "SVC", params: { kernel: "linear", C: 1e6 } }],
        layers: { margin: true, supportVectors: true, trail: false, mistakes: false },
      },
    },
    {
      heading: "Slack, and its price C",
      text: [
        "Three rows lie among the others: no line separates the classes now. Rows may stand inside the street or on its wrong side, and pay C for every unit of slack: the lines lead from them to their edge of the street.",
        "A small C buys a wide street with much slack; a large C a narrow one with little. Move C and watch which rows hold it.",
      ],
      scene: {
        kind: "models",
        source: paintedSource(mixed),
        ...planeOf,
        models: [{ estimator: "SVC", params: { kernel: "linear", C: 1 } }],
        controls: [{ param: "C", label: "C, the price of slack", values: [0.05, 0.2, 1, 5, 20, 100, 1000] }],
        layers: { margin: true, supportVectors: true, slack: true, trail: false, mistakes: false },
      },
    },
    {
      heading: "How the solver finds it",
      text: [
        "Sequential minimal optimisation moves two coefficients α at a time, those that violate the conditions of the optimum most, until none does. Go through its steps: the street settles, and rows become support vectors or stop being ones.",
      ],
      scene: {
        ...generatedPoints("moons", 120, 0.25, 3),
        models: [{ estimator: "SVC", params: { C: 1 } }],
        layers: { margin: true, supportVectors: true, mistakes: false },
        plays: true,
      },
    },
  ],
};
