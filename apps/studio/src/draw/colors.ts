import { okabeIto } from "argmax/plot";

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

const rgb = (hex: string): Color =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as [number, number, number];

const classes = okabeIto.map(rgb);

export const light: Theme = { name: "light", ground: [255, 255, 255], ink: [24, 32, 40], classes };
export const dark: Theme = {
  name: "dark",
  ground: [20, 24, 29],
  ink: [240, 243, 246],
  // Black is not seen on a dark ground.
  classes: classes.map((color, c) => (c === 4 ? [255, 255, 255] : color)),
};

/** The colour of a class; more than eight begin again. */
export const classColor = (theme: Theme, c: number): Color => theme.classes[c % theme.classes.length]!;

/** Of rows without a class, and of noise. */
export const unknownColor = ({ ground, ink }: Theme): Color => mix(ground, ink, 0.5);

export const css = ([r, g, b]: Color): string => `rgb(${r} ${g} ${b})`;

/** From one colour to another, t between 0 and 1. */
export function mix(from: Color, to: Color, t: number): Color {
  return [
    Math.round(from[0] + (to[0] - from[0]) * t),
    Math.round(from[1] + (to[1] - from[1]) * t),
    Math.round(from[2] + (to[2] - from[2]) * t),
  ];
}

/** Evenly spaced: between them `cividis` is linear. */
export const cividisStops: readonly Color[] = [
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
