import { isImages } from "../data/input.js";
import type { Shape } from "./autodiff/shape.js";

/** [height, width, channels] of images; undefined if X is a plain matrix. */
export const imageShape = (x: unknown): Shape | undefined =>
  isImages(x) ? [x.height, x.width, x.channels] : undefined;
