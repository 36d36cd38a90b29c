export { makeBlobs, makeBlobsParams } from "./blobs.js";
export { makeClassification, makeClassificationParams } from "./classification.js";
export { makeRegression, makeRegressionParams, type RegressionSample } from "./regression.js";
export type { ClassSample } from "./sample.js";
export {
  makeCircles,
  makeCirclesParams,
  makeMoons,
  makeMoonsParams,
  makeSpirals,
  makeSpiralsParams,
  makeXor,
  makeXorParams,
} from "./shapes.js";
