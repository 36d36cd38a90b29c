import type { ComponentType } from "preact";
import type { Role } from "../data/roles.js";
import type { Source } from "../data/source.js";
import type { Layer, ModelEntry, ParamValue } from "../state/document.js";

/** A lesson in a few pages: one idea each, shown by models of the studio or by a figure. */
export interface Story {
  /** In the address. */
  readonly name: string;
  readonly title: string;
  /** What it is about, in a sentence. */
  readonly about: string;
  readonly pages: readonly Page[];
}

export interface Page {
  readonly heading: string;
  readonly text: readonly string[];
  readonly scene: Scene;
}

type Scene = ModelScene | { readonly kind: "figure"; readonly Figure: ComponentType };

/** Models that train on a table, as on the other screens, with some parameters at hand. */
export interface ModelScene {
  readonly kind: "models";
  readonly source: Source;
  readonly roles: Readonly<Record<string, Role>>;
  readonly axes: readonly [string, string];
  /** One model is large and has a scrubber; several stand side by side. */
  readonly models: readonly Pick<ModelEntry, "estimator" | "params">[];
  readonly controls?: readonly Control[];
  readonly layers?: Partial<Record<Layer, boolean>>;
  /** Whether the scrubber plays when the page opens. */
  readonly plays?: boolean;
}

/** A parameter of all models of the scene that have it. */
export interface Control {
  readonly param: string;
  readonly label: string;
  readonly values: readonly ParamValue[];
}

/** A page with a figure. */
export const figurePage = (heading: string, Figure: ComponentType, ...text: readonly string[]): Page => ({
  heading,
  text,
  scene: { kind: "figure", Figure },
});

/** A scene of generated points of two classes of the same size. */
export const generatedPoints = (
  shape: Extract<Source, { kind: "generated" }>["shape"],
  rows: number,
  noise: number,
  seed: number,
) =>
  ({
    kind: "models",
    source: { kind: "generated", shape, rows, noise, balance: 0.5, seed },
    ...planeOf,
  }) as const satisfies Omit<ModelScene, "models">;

/** Points of two classes that a straight line separates, and some that it does not. */
export function paintedSource(points: readonly (readonly [number, number, number])[]): Source {
  return { kind: "painted", points };
}

export const planeOf = {
  roles: { class: "target" },
  axes: ["x", "y"],
} as const satisfies Pick<ModelScene, "roles" | "axes">;

/** Penguins by species, from two of their measures. */
export function penguinsBy(...axes: readonly [PenguinMeasure, PenguinMeasure]) {
  const others = penguinMeasures.filter((name) => !axes.includes(name));
  return {
    kind: "models",
    source: { kind: "included", name: "penguins" },
    roles: {
      species: "target",
      island: "ignore",
      sex: "ignore",
      ...Object.fromEntries(others.map((name): [string, Role] => [name, "ignore"])),
    },
    axes,
  } as const satisfies Omit<ModelScene, "models">;
}

const penguinMeasures = ["billLength", "billDepth", "flipperLength", "bodyMass"] as const;
type PenguinMeasure = (typeof penguinMeasures)[number];

/** The same points, to be grouped without looking at their class. */
export const clustersOf = {
  roles: { class: "ignore" },
  axes: ["x", "y"],
} as const satisfies Pick<ModelScene, "roles" | "axes">;
