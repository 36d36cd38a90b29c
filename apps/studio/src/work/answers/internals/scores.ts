import { type Scores, type Structure, structureOf } from "argmax/structure";

type Of<K extends Scores["kind"]> = Extract<Scores, { readonly kind: K }>;

/** The scores of a structure, if they are of this kind. */
export const scoresOfKind = <K extends Scores["kind"]>(structure: Structure, kind: K): Of<K> | undefined =>
  "scores" in structure && structure.scores.kind === kind ? (structure.scores as Of<K>) : undefined;

/** The scores of a model, if they are of this kind. */
export const scoresOf = <K extends Scores["kind"]>(model: object, kind: K): Of<K> | undefined =>
  scoresOfKind(structureOf(model), kind);
