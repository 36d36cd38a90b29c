/** Schedules of the learning rate, for `import { schedules } from "argmax"`: `schedules.cosine()`. */
export { constant, cosine, inverseScaling, stepDecay, warmUp } from "./schedules.js";
