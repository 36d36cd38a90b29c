export { FittedMinMaxScaler, MinMaxScaler } from "./min-max-scaler.js";
export { FittedStandardScaler, type Scaled, StandardScaler } from "./standard-scaler.js";
