import { DataError } from "../core/errors.js";

/** Throws for what no kind of structure describes. */
export function refuseUndescribed(reason: string): never {
  throw new DataError({
    where: "evaluate",
    subject: "the structure",
    expected: "one that describes the model",
    received: `none, since ${reason}`,
    advice: "The model itself predicts.",
  });
}
