export * from "./penalties.js";
