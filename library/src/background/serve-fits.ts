import { ParameterError, show } from "../core/errors.js";
import type { RegisteredClass } from "../persistence/loader.js";
import { listen } from "./listen.js";

/**
 * Turns the script that calls it into a worker for `background` that knows only the given estimators, where "argmax/worker" brings all:
 *
 *   serveFits([LogisticRegression, Pipeline, StandardScaler]);
 */
export function serveFits(classes: readonly RegisteredClass[]): void {
  if (
    !Array.isArray(classes) ||
    classes.length === 0 ||
    classes.some((type) => typeof type?.id !== "string")
  ) {
    const expected = "a list of estimator classes, e.g. [LogisticRegression, Pipeline]";
    throw new ParameterError("serveFits", "classes", expected, show(classes));
  }
  void listen(classes);
}
