export type { BackgroundEstimator, BackgroundOptions, Describable, FittedBy } from "./background.js";
export { background } from "./background.js";
export type { AnyWorker, WorkerFactory } from "./channel.js";
export { serveFits } from "./serve-fits.js";
