/**
 * A model as a class of the library, if it has these of its members; undefined for others, and where a getter refuses. For what a
 * structure leaves out because no prediction needs it: importances, errors of rounds, curves of a fit, rows that were drawn.
 */
export function viewAs<M extends object>(model: object, ...names: readonly (keyof M)[]): M | undefined {
  try {
    return names.every((name) => (model as M)[name] != null) ? (model as M) : undefined;
  } catch {
    return undefined;
  }
}
