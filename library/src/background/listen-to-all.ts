import { estimatorClasses } from "../persistence/registry.js";
import { listen } from "./listen.js";

/** A worker that knows every estimator. */
export const listenToAll = (): Promise<void> => listen(estimatorClasses);
