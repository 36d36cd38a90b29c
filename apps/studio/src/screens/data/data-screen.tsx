import { lazyScreen } from "../../ui/lazy-screen.js";

export const DataScreen = lazyScreen("Data", () =>
  import("./data-parts.js").then(({ DataParts }) => DataParts),
);
