import type { Capabilities } from "../core/contract.js";
import { ParameterError } from "../core/errors.js";
import type { Matrix } from "../data/matrix.js";
import type { ClassifierMember } from "../ensembles/class-votes.js";
import type { MemberRows } from "../ensembles/member-rows.js";
import { nameOf } from "../ensembles/members.js";

/** The scores that a threshold is compared with. */
export type ResponseMethod = "predictProba" | "decisionFunction";

/** The method that models of these capabilities are asked by; undefined if they lack it. */
export function declaredResponse(
  able: Capabilities,
  method: "auto" | ResponseMethod,
): ResponseMethod | undefined {
  const has = { predictProba: able.probabilities, decisionFunction: able.decisionFunction };
  if (method !== "auto") return has[method] ? method : undefined;
  return has.predictProba ? "predictProba" : has.decisionFunction ? "decisionFunction" : undefined;
}

/** The same of a fitted model, for estimators that do not declare what they have. */
export function responseOf(
  where: string,
  model: ClassifierMember,
  method: "auto" | ResponseMethod,
): ResponseMethod {
  const methods: readonly ResponseMethod[] =
    method === "auto" ? ["predictProba", "decisionFunction"] : [method];
  const found = methods.find((name) => typeof model[name] === "function");
  if (found !== undefined) return found;
  const expected = `one whose models have ${methods.join(" or ")}`;
  throw new ParameterError(where, "estimator", expected, nameOf(model));
}

/** Scores of the positive one of two classes. */
export function responses(
  model: ClassifierMember,
  x: MemberRows,
  response: ResponseMethod,
  positive: number,
): Float64Array {
  const { data, cols } = model[response]!(x) as Matrix<Float64Array>;
  if (response === "predictProba")
    return Float64Array.from({ length: x.rows }, (_, i) => data[2 * i + positive]!);
  const sign = positive === 1 ? 1 : -1;
  return Float64Array.from(
    { length: x.rows },
    (_, i) => sign * (cols === 1 ? data[i]! : data[2 * i + 1]! - data[2 * i]!),
  );
}
