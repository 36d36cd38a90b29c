import { lazy } from "../../ui/lazy.js";

export const ShipScreen = lazy(() => import("./shipping.js").then(({ Shipping }) => Shipping));
