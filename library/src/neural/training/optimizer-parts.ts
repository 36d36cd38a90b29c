/** The optimisers, for `import { optimizers } from "argmax"`: `optimizers.adam({ learningRate: 0.01 })`. */
export { adam, adamW, lbfgs, rmsProp, sgd } from "./optimizers.js";
