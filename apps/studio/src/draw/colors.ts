/** Red, green and blue, 0 to 255. */
export type Color = readonly [number, number, number];

export interface Theme {
  readonly name: "light" | "dark";
  /** Behind everything. */
  readonly ground: Color;
  /** Outlines of marks and lines between regions. */
  readonly ink: Color;
  readonly classes: readonly Color[];
}

/** Okabe and Ito, in an order whose neighbours stay apart for colour-blind readers. */
const okabeIto: readonly Color[] = [
  [0, 114, 178],
  [213, 94, 0],
  [0, 158, 115],
  [204, 121, 167],
  [0, 0, 0],
  [230, 159, 0],
  [86, 180, 233],
  [240, 228, 66],
];

export const light: Theme = { name: "light", ground: [255, 255, 255], ink: [24, 32, 40], classes: okabeIto };
export const dark: Theme = {
  name: "dark",
  ground: [20, 24, 29],
  ink: [240, 243, 246],
  // Black is not seen on a dark ground.
  classes: okabeIto.map((color, c) => (c === 4 ? [255, 255, 255] : color)),
};

/** The colour of a class; more than eight begin again. */
export const classColor = (theme: Theme, c: number): Color => theme.classes[c % theme.classes.length]!;

export const css = ([r, g, b]: Color): string => `rgb(${r} ${g} ${b})`;

/** From one colour to another, t between 0 and 1. */
export function mix(from: Color, to: Color, t: number): Color {
  return [
    Math.round(from[0] + (to[0] - from[0]) * t),
    Math.round(from[1] + (to[1] - from[1]) * t),
    Math.round(from[2] + (to[2] - from[2]) * t),
  ];
}

const cividisStops: readonly Color[] = [
  [0, 34, 78],
  [53, 69, 108],
  [102, 105, 112],
  [148, 142, 119],
  [201, 182, 107],
  [254, 232, 56],
];

/** A continuous scale that reads the same with and without colour blindness; t between 0 and 1. */
export function cividis(t: number): Color {
  const at = Math.min(1, Math.max(0, t)) * (cividisStops.length - 1);
  const k = Math.min(cividisStops.length - 2, Math.floor(at));
  return mix(cividisStops[k]!, cividisStops[k + 1]!, at - k);
}
