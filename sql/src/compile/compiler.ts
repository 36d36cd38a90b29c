import type { Label, Member, MemberOutput, Scores, Structure, Transform } from "argmax";
import type { Expression } from "../expressions/expression.js";
import type { Cells } from "./cells.js";

/** What a model computes of a row; of several numbers, one per class or column. */
export interface Answer {
  readonly columns?: readonly Expression[];
  readonly scores?: readonly Expression[];
  readonly margins?: readonly Expression[];
  readonly probabilities?: readonly Expression[];
  readonly values?: readonly Expression[];
  readonly density?: Expression;
  /** The place of the class, cluster or component. */
  readonly place?: Expression;
}

/** The parts of the compiler, which need each other: models are made of scores and steps, and these of models. */
export interface Compiler {
  answer(structure: Structure, columns: readonly Cells[]): Answer;
  scores(scores: Scores, columns: readonly Cells[], classes: readonly Label[]): readonly Expression[];
  transformed(steps: readonly Transform[], columns: readonly Cells[]): readonly Cells[];
  /** What of a member's answer is asked for; labels as their places among the classes. */
  member(
    member: Member,
    columns: readonly Cells[],
    output: MemberOutput,
    classes: readonly Label[],
  ): readonly Expression[];
}
