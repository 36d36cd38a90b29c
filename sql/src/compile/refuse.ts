import { DataError } from "argmax";

/** Throws for a part of a model that SQL cannot express, with the reason. */
export function refuse(reason: string): never {
  const advice = "Predict in the program, block by block, or train a model of another kind.";
  throw new DataError("toSql", "the model", "made of what SQL can express", reason, advice);
}
