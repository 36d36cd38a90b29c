export { coordinateDescent } from "./coordinate-descent.js";
export { dualCoordinateDescent } from "./dual-coordinate-descent.js";
export { gradientDescent } from "./gradient-descent.js";
export { interiorPoint } from "./interior-point.js";
export { lbfgs } from "./lbfgs.js";
export { newton } from "./newton.js";
export { proximal } from "./proximal.js";
export { type L1Update, type Schedule, type SgdOptions, sgd } from "./sgd.js";
export type { Solver } from "./solver.js";
