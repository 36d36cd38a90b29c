import { learnerClasses } from "./learners.js";

/** Names of the models that learn batch by batch. */
export const streamingNames = (): string[] =>
  learnerClasses()
    .filter(({ capabilities }) => capabilities.partialFit)
    .map(({ name }) => name);
