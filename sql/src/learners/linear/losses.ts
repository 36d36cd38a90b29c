import { ParameterError } from "argmax";
import type { Loss, MarginLoss } from "argmax/sums";
import { decay, logOnePlus, logSumOfExponentials, sigmoids } from "../../compile/functions.js";
import {
  add,
  both,
  call,
  choose,
  compare,
  divide,
  type Expression,
  multiply,
  negative,
  number,
  shared,
  subtract,
  when,
} from "../../expressions/expression.js";

/** ℓ of one row and its derivatives in the margins z, one per output. */
export interface LossTerms {
  readonly value: Expression;
  readonly derivatives: readonly Expression[];
  /** ∂²ℓ/∂z_k∂z_l where it exists, else 0. */
  curvature(k: number, l: number): Expression;
  /** The curvature of a quadratic above ℓ, where the loss has linear tails (`MarginLoss.majorant`). */
  readonly majorant?: Expression;
}

/** A loss of one margin: the SQL twin of the formula in `losses/losses.ts`. */
type Formula = (z: Expression, y: Expression, param: number) => Single;

interface Single {
  readonly value: Expression;
  readonly derivative: Expression;
  readonly curvature: Expression;
  readonly majorant?: Expression;
}

/** e^z above this is taken for infinite, so that its products with columns do not overflow, which PostgreSQL takes for an error. */
const MOST = 300;

const half = number(0.5);
const [zero, one, two] = [number(0), number(1), number(2)];
const positivePart = (a: Expression) => when(compare(a, ">", zero), a, zero);
const squareOf = (a: Expression) => multiply(a, a);

function growth(given: Expression): Expression {
  const z = shared(given);
  return choose([{ test: compare(z, ">", number(MOST)), value: number(Infinity) }], decay(z));
}

const formulas: Partial<Record<MarginLoss["name"], Formula>> = {
  squared: (z, y) => {
    const r = shared(subtract(z, y));
    return { value: multiply(half, squareOf(r)), derivative: r, curvature: one };
  },
  logistic: (z, y) => {
    const m = shared(multiply(y, z));
    const { second, first } = sigmoids(m);
    const tail = logOnePlus(decay(negative(call("abs", m))));
    return {
      value: add(when(compare(m, "<", zero), negative(m), zero), tail),
      derivative: negative(multiply(y, first)),
      curvature: multiply(second, first),
    };
  },
  squaredHinge: (z, y) => {
    const slack = shared(subtract(one, multiply(y, z)));
    const left = shared(positivePart(slack));
    return {
      value: squareOf(left),
      derivative: multiply(multiply(number(-2), y), left),
      curvature: when(compare(slack, ">", zero), two, zero),
    };
  },
  modifiedHuber: (z, y) => {
    const m = shared(multiply(y, z));
    const slack = shared(subtract(one, m));
    const left = shared(positivePart(slack));
    const isFar = compare(m, "<", number(-1));
    return {
      value: when(isFar, multiply(number(-4), m), squareOf(left)),
      derivative: multiply(y, when(isFar, number(-4), multiply(number(-2), left))),
      curvature: when(both(compare(m, ">=", number(-1)), compare(slack, ">", zero)), two, zero),
      majorant: multiply(
        two,
        when(compare(call("abs", slack), ">", two), divide(two, call("abs", slack)), one),
      ),
    };
  },
  exponential: (z, y) => {
    const e = shared(growth(negative(multiply(y, z))));
    return { value: e, derivative: negative(multiply(y, e)), curvature: e };
  },
  poisson: (z, y) => {
    const e = shared(growth(z));
    return { value: subtract(e, multiply(y, z)), derivative: subtract(e, y), curvature: e };
  },
  huber: (z, y, delta) => {
    const r = shared(subtract(z, y));
    const size = shared(call("abs", r));
    const isNear = compare(size, "<=", number(delta));
    const far = multiply(number(delta), subtract(size, number(0.5 * delta)));
    const end = when(compare(r, ">", zero), number(delta), number(-delta));
    return {
      value: when(isNear, multiply(half, squareOf(r)), far),
      derivative: when(isNear, r, end),
      curvature: when(isNear, one, zero),
      majorant: when(isNear, one, divide(number(delta), size)),
    };
  },
  squaredEpsilonInsensitive: (z, y, epsilon) => {
    const r = shared(subtract(z, y));
    const left = shared(positivePart(subtract(call("abs", r), number(epsilon))));
    const signed = when(compare(r, "<", zero), negative(left), left);
    return {
      value: squareOf(left),
      derivative: multiply(two, signed),
      curvature: when(compare(left, ">", zero), two, zero),
    };
  },
};

/** Whether sums of the loss can be asked of a database: it needs a derivative everywhere. */
export function requireSummable(where: string, { name }: Loss): void {
  if (name === "softmax" || formulas[name as MarginLoss["name"]]) return;
  const names = ["softmax", ...Object.keys(formulas)].join(", ");
  throw new ParameterError(
    where,
    "loss",
    `one with a derivative everywhere in a database: ${names}`,
    name,
    "Fit it in memory to a sample of the rows, or stream the rows into SGDClassifier or SGDRegressor with partialFitInDatabase().",
  );
}

/** A loss of one margin and of the target y. */
export function marginTerms(loss: MarginLoss, z: Expression, y: Expression): LossTerms {
  const { value, derivative, curvature, majorant } = formulas[loss.name]!(z, y, loss.param);
  const curve = shared(curvature);
  return {
    value,
    derivatives: [shared(derivative)],
    curvature: () => curve,
    ...(majorant && { majorant: shared(majorant) }),
  };
}

/**
 * Softmax cross-entropy log Σ e^{z_k} − z_y, where y is the place of the class. With a reference there is no z of the last class: it is 0.
 */
export function softmaxTerms(given: readonly Expression[], y: Expression, reference: boolean): LossTerms {
  const z = reference ? [...given, zero] : given;
  const total = shared(logSumOfExponentials(z));
  const p = given.map((own) => shared(decay(subtract(own, total))));
  const own = choose(z.map((score, k) => ({ test: compare(y, "=", number(k)), value: score })));
  return {
    value: subtract(total, own),
    derivatives: p.map((share, k) => shared(subtract(share, when(compare(y, "=", number(k)), one, zero)))),
    curvature: (k, l) => (k === l ? multiply(p[k]!, subtract(one, p[k]!)) : negative(multiply(p[k]!, p[l]!))),
  };
}
