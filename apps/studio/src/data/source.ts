export const includedSets = [
  "penguins",
  "iris",
  "wine",
  "breastCancer",
  "titanic",
  "digits",
  "diabetes",
] as const;
export type IncludedSet = (typeof includedSets)[number];

export const shapes = ["moons", "rings", "spirals", "blobs", "xor"] as const;
export type Shape = (typeof shapes)[number];

/** Where the table comes from. A file is named only: whoever opens the link is asked for it. */
export type Source =
  | { readonly kind: "included"; readonly name: IncludedSet }
  | {
      readonly kind: "generated";
      readonly shape: Shape;
      readonly rows: number;
      readonly noise: number;
      /** Fraction of the first class. */
      readonly balance: number;
      readonly seed: number;
    }
  | { readonly kind: "painted"; readonly points: readonly PaintedPoint[] }
  | { readonly kind: "file"; readonly name: string; readonly sha256: string; readonly rows: number };

/** x and y between 0 and 1, and the class. */
export type PaintedPoint = readonly [x: number, y: number, label: number];
