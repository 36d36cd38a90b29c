import { estimatorClasses } from "../persistence/generated/estimators.js";
import { listen } from "./listen.js";

/** A worker that knows every estimator. */
export const listenToAll = (): Promise<void> => listen(estimatorClasses);
