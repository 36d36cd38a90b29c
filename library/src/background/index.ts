export {
  type BackgroundEstimator,
  type BackgroundOptions,
  background,
  type Describable,
  type FittedBy,
} from "./background.js";
export type { AnyWorker, WorkerFactory } from "./channel.js";
export { serveFits } from "./serve-fits.js";
