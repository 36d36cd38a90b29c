import { lazy } from "../../ui/lazy.js";

export const EvaluateScreen = lazy(() => import("./evaluation.js").then(({ Evaluation }) => Evaluation));
