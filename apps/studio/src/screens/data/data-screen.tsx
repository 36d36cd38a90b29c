import { lazy } from "../../ui/lazy.js";

export const DataScreen = lazy(() => import("./data-parts.js").then(({ DataParts }) => DataParts));
