import { DataError, ShapeError, show } from "../core/errors.js";
import { isArrayLike } from "../core/numbers/typed-arrays.js";
import { place } from "./svg.js";

type Placing = (value: number) => number;

const asIs: Placing = (value) => value;

/** The `d` of an SVG path through points, placed by scales; it is interrupted where a coordinate is not finite. */
export function linePath(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  placeX: Placing = asIs,
  placeY: Placing = asIs,
): string {
  return joined("linePath", x, y, placeX, placeY, (u, v) => `L${u} ${v}`);
}

/**
 * The `d` of an SVG path that has the height of a point from the one before it up to its own place: of precision by ascending recall,
 * between whose points no straight line is true.
 */
export function stepPath(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  placeX: Placing = asIs,
  placeY: Placing = asIs,
): string {
  return joined("stepPath", x, y, placeX, placeY, (u, v) => `V${v}H${u}`);
}

function joined(
  where: string,
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  placeX: Placing,
  placeY: Placing,
  next: (u: string, v: string) => string,
): string {
  for (const [subject, list] of Object.entries({ x, y }))
    if (!isArrayLike(list)) throw new DataError(where, subject, "an array of numbers", show(list));
  for (const [subject, placing] of Object.entries({ placeX, placeY }))
    if (typeof placing !== "function") throw new DataError(where, subject, "a function", show(placing));
  if (x.length !== y.length) {
    throw new ShapeError(where, "x and y", "equally long", `${x.length} and ${y.length}`);
  }
  let path = "";
  let isOpen = false;
  for (let p = 0; p < x.length; p++) {
    const [u, v] = [placeX(x[p]!), placeY(y[p]!)];
    const isPlaced = Number.isFinite(u) && Number.isFinite(v);
    if (isPlaced) path += isOpen ? next(place(u), place(v)) : `M${place(u)} ${place(v)}`;
    isOpen = isPlaced;
  }
  return path;
}
