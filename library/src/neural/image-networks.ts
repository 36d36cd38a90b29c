import type { MatrixLike } from "../core/contract.js";
import { ShapeError } from "../core/errors.js";
import { type ClassWeight, flag, invalid, type ParamSpec } from "../core/params/params.js";
import { CsrMatrix } from "../data/csr-matrix.js";
import type { Design } from "../data/input.js";
import { type Shape, sameShape, showShape } from "./autodiff/shape.js";
import { imageShape } from "./image-shape.js";
import { inputShape, shapeOfRows } from "./input-shape.js";
import { sequential } from "./layers/composition.js";
import { dense } from "./layers/dense.js";
import { rescale } from "./layers/rescale.js";
import { type ClassifierRecipe, classOutputs } from "./learn-network.js";
import type { Layer } from "./network/layer.js";
import { Network } from "./network/network.js";
import { type TrainingValues, trainedRecipe } from "./network-params.js";

/** The parameter of image classifiers that states the size of an image. */
export const imageShapeParam: ParamSpec<readonly number[] | null> = {
  ...inputShape,
  doc: "[height, width, channels] of an image; null: as X gives it, or square.",
  expected: "[height, width, channels], sizes ≥ 1, or null",
  read: (value) => {
    const shape = inputShape.read(value);
    return shape === null || shape === invalid || shape.length === 3 ? shape : invalid;
  },
};

/** The parameter of image classifiers that rescales pixels. */
export const rescalePixels = flag({
  default: true,
  doc: "Divide all pixels by the largest of fit, so that they are at most 1.",
});

/** The parameters of a classifier of images, apart from those of its layers. */
type ImageValues = TrainingValues & {
  readonly classWeight: ClassWeight;
  readonly imageShape: Shape | null;
  readonly rescale: boolean;
};

/**
 * The recipe of a classifier of images. Pixels are multiplied so that none of fit is above `largest`, then go through `layers`, the last of
 * which returns one axis.
 */
export function imageRecipe(
  id: string,
  params: ImageValues,
  largest: number,
  layers: (input: Shape) => readonly Layer[],
): ClassifierRecipe {
  // Of a saved model the factor is read with its weights.
  let factor = 1;
  const warnings: string[] = [];
  return {
    ...trainedRecipe(id, params),
    classWeight: params.classWeight,
    warnings,
    inputShape: (where, x, design) => {
      if (params.rescale) factor = largest * pixelFactor(design);
      return shapeOfImages(where, params.imageShape, x, design.cols, warnings);
    },
    network: (where, input, classes) => {
      const scaled = params.rescale ? [rescale(factor)] : [];
      return new Network(where, sequential(...scaled, ...layers(input), dense(classOutputs(classes))), input);
    },
  };
}

/** 1/the largest absolute number of X; 1 if that is 0, or far from any pixel. */
function pixelFactor(design: Design): number {
  const values = design instanceof CsrMatrix ? design.values : design.data;
  let largest = 0;
  for (let e = 0; e < values.length; e++) largest = Math.max(largest, Math.abs(values[e]!));
  // Beyond this, rows or factor leave the range of 32 bits.
  return largest > 1e-30 && largest < 1e30 ? 1 / largest : 1;
}

/**
 * Height, width and channels of images: the parameter, X's own, or else square images of one channel, or of three.
 */
function shapeOfImages(
  where: string,
  given: Shape | null,
  x: MatrixLike,
  cols: number,
  warnings: string[],
): Shape {
  const own = imageShape(x);
  if (given !== null && own !== undefined && !sameShape(given, own)) {
    throw new ShapeError(where, "X", `images of ${showShape(given)}, the imageShape`, showShape(own));
  }
  const known = given ?? own;
  if (known !== undefined) return shapeOfRows(where, known, x, cols);
  for (const channels of [1, 3]) {
    const side = Math.round(Math.sqrt(cols / channels));
    if (side * side * channels !== cols) continue;
    const taken = `Rows of ${cols} numbers were taken for images of ${showShape([side, side, channels])}: `;
    warnings.push(`${taken}set imageShape, if they are others.`);
    return [side, side, channels];
  }
  const expected = "images: { data, rows, height, width, channels }, or square ones";
  const advice = "Set imageShape: [height, width, channels].";
  throw new ShapeError(where, "X", expected, `rows of ${cols} numbers`, advice);
}
