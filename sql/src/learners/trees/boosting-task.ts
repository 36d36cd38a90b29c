import type { BoostingLoss, SummedRun } from "argmax/sums";
import type { Expression } from "../../expressions/expression.js";
import type { TrainingRows } from "../../rows/training-rows.js";
import type { BoostingFacts } from "./boosting-facts.js";
import type { TableRows } from "./table-rows.js";

/** What rounds of boosting are about. */
export interface BoostingTask {
  readonly where: string;
  readonly rows: TrainingRows;
  readonly table: TableRows;
  readonly facts: BoostingFacts;
  readonly run: SummedRun;
  readonly loss: BoostingLoss;
  /** 1 for held-out rows; undefined: there are none. */
  readonly heldOut: Expression | undefined;
  /** e times the scaled weight of the row. */
  weight(e: Expression): Expression;
}
