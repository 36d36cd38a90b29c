import { DataError } from "argmax";

/** Throws for a part of a model that SQL cannot express, with the reason. */
export function refuse(reason: string): never {
  throw new DataError({
    where: "toSql",
    subject: "the model",
    expected: "made of what SQL can express",
    received: reason,
    advice: "Predict in the program, block by block, or train a model of another kind.",
  });
}
