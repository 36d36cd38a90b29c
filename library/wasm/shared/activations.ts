import { powerOf, sinOf } from "./doubles";
import { expOf, logOf, sigmoidOf, softplusOf, tanhOf } from "./exponentials";
import { bell, normalCdf } from "./normal";

/**
 * The functions of `src/numeric/tensors/activations.ts`: the value at x, and the derivative. `derivative`
 * receives the value y = f(x) for the names in its `derivativeFromValue`, x otherwise. a and c are the
 * constants.
 */

export class Linear {
  value<_T>(x: v128, _a: f64, _c: f64): v128 {
    return x;
  }
  derivative<T>(_y: v128, _a: f64, _c: f64): v128 {
    return v128.splat<T>(1);
  }
}

export class Negative {
  value<T>(x: v128, _a: f64, _c: f64): v128 {
    return v128.neg<T>(x);
  }
  derivative<T>(_y: v128, _a: f64, _c: f64): v128 {
    return v128.splat<T>(<T>-1);
  }
}

export class Exp {
  value<T>(x: v128, _a: f64, _c: f64): v128 {
    return expOf<T>(x);
  }
  derivative<_T>(y: v128, _a: f64, _c: f64): v128 {
    return y;
  }
}

export class Log {
  value<T>(x: v128, _a: f64, _c: f64): v128 {
    return logOf<T>(x);
  }
  derivative<T>(x: v128, _a: f64, _c: f64): v128 {
    return v128.div<T>(v128.splat<T>(1), x);
  }
}

export class Sqrt {
  value<T>(x: v128, _a: f64, _c: f64): v128 {
    return v128.sqrt<T>(x);
  }
  derivative<T>(y: v128, _a: f64, _c: f64): v128 {
    return v128.div<T>(v128.splat<T>(<T>0.5), y);
  }
}

export class Square {
  value<T>(x: v128, _a: f64, _c: f64): v128 {
    return v128.mul<T>(x, x);
  }
  derivative<T>(x: v128, _a: f64, _c: f64): v128 {
    return v128.add<T>(x, x);
  }
}

export class Reciprocal {
  value<T>(x: v128, _a: f64, _c: f64): v128 {
    return v128.div<T>(v128.splat<T>(1), x);
  }
  derivative<T>(x: v128, _a: f64, _c: f64): v128 {
    const y = v128.div<T>(v128.splat<T>(1), x);
    return v128.neg<T>(v128.mul<T>(y, y));
  }
}

export class Abs {
  value<T>(x: v128, _a: f64, _c: f64): v128 {
    return v128.abs<T>(x);
  }
  derivative<T>(x: v128, _a: f64, _c: f64): v128 {
    return signOf<T>(x);
  }
}

export class Sin {
  value<T>(x: v128, _a: f64, _c: f64): v128 {
    return sinOf<T>(x, 0);
  }
  derivative<T>(x: v128, _a: f64, _c: f64): v128 {
    return sinOf<T>(x, 1);
  }
}

export class Cos {
  value<T>(x: v128, _a: f64, _c: f64): v128 {
    return sinOf<T>(x, 1);
  }
  derivative<T>(x: v128, _a: f64, _c: f64): v128 {
    return sinOf<T>(x, 2);
  }
}

export class Sigmoid {
  value<T>(x: v128, a: f64, c: f64): v128 {
    return sigmoidOf<T>(v128.mul<T>(v128.sub<T>(x, v128.splat<T>(<T>c)), v128.splat<T>(<T>a)));
  }
  derivative<T>(y: v128, a: f64, _c: f64): v128 {
    const product = v128.mul<T>(y, v128.sub<T>(v128.splat<T>(1), y));
    return v128.mul<T>(product, v128.splat<T>(<T>a));
  }
}

export class Tanh {
  value<T>(x: v128, _a: f64, _c: f64): v128 {
    return tanhOf<T>(x);
  }
  derivative<T>(y: v128, _a: f64, _c: f64): v128 {
    const one = v128.splat<T>(1);
    return v128.mul<T>(v128.sub<T>(one, y), v128.add<T>(one, y));
  }
}

export class Relu {
  /** pmax returns its first operand unless the second is larger: NaN stays NaN. */
  value<T>(x: v128, _a: f64, _c: f64): v128 {
    return v128.pmax<T>(x, v128.splat<T>(0));
  }
  derivative<T>(y: v128, _a: f64, _c: f64): v128 {
    return positive<T>(y);
  }
}

export class LeakyRelu {
  value<T>(x: v128, a: f64, _c: f64): v128 {
    const zero = v128.splat<T>(0);
    return v128.bitselect(x, v128.mul<T>(x, v128.splat<T>(<T>a)), v128.gt<T>(x, zero));
  }
  derivative<T>(x: v128, a: f64, _c: f64): v128 {
    return v128.bitselect(v128.splat<T>(1), v128.splat<T>(<T>a), v128.gt<T>(x, v128.splat<T>(0)));
  }
}

export class Gelu {
  value<T>(x: v128, _a: f64, _c: f64): v128 {
    return v128.mul<T>(x, normalCdf<T>(x, bell<T>(x)));
  }
  /** Φ(x) + x·φ(x). */
  derivative<T>(x: v128, _a: f64, _c: f64): v128 {
    const e = bell<T>(x);
    const density = v128.mul<T>(e, v128.splat<T>(<T>0.3989422804014327));
    return v128.add<T>(normalCdf<T>(x, e), v128.mul<T>(x, density));
  }
}

export class Softplus {
  value<T>(x: v128, _a: f64, _c: f64): v128 {
    return softplusOf<T>(x);
  }
  derivative<T>(x: v128, _a: f64, _c: f64): v128 {
    return sigmoidOf<T>(x);
  }
}

export class Gaussian {
  value<T>(x: v128, a: f64, c: f64): v128 {
    return bell<T>(v128.mul<T>(v128.sub<T>(x, v128.splat<T>(<T>c)), v128.splat<T>(<T>(1 / a))));
  }
  derivative<T>(x: v128, a: f64, c: f64): v128 {
    const z = v128.mul<T>(v128.sub<T>(x, v128.splat<T>(<T>c)), v128.splat<T>(<T>(1 / a)));
    return v128.mul<T>(v128.mul<T>(z, v128.splat<T>(<T>(-1 / a))), bell<T>(z));
  }
}

export class InverseMultiquadric {
  value<T>(x: v128, a: f64, c: f64): v128 {
    const r = v128.sub<T>(x, v128.splat<T>(<T>c));
    const sum = v128.add<T>(v128.mul<T>(r, r), v128.splat<T>(<T>(a * a)));
    return v128.div<T>(v128.splat<T>(1), v128.sqrt<T>(sum));
  }
  /** −(x − c)·y³. */
  derivative<T>(x: v128, a: f64, c: f64): v128 {
    const y = this.value<T>(x, a, c);
    const cube = v128.mul<T>(y, v128.mul<T>(y, y));
    return v128.mul<T>(v128.sub<T>(v128.splat<T>(<T>c), x), cube);
  }
}

export class Sign {
  value<T>(x: v128, _a: f64, _c: f64): v128 {
    return signOf<T>(x);
  }
  derivative<T>(_x: v128, _a: f64, _c: f64): v128 {
    return v128.splat<T>(0);
  }
}

export class Heaviside {
  value<T>(x: v128, _a: f64, _c: f64): v128 {
    return positive<T>(x);
  }
  derivative<T>(_x: v128, _a: f64, _c: f64): v128 {
    return v128.splat<T>(0);
  }
}

export class TwoStep {
  value<T>(x: v128, a: f64, c: f64): v128 {
    const inside = v128.and(v128.gt<T>(x, v128.splat<T>(<T>a)), v128.lt<T>(x, v128.splat<T>(<T>c)));
    return v128.and(inside, v128.splat<T>(1));
  }
  derivative<T>(_x: v128, _a: f64, _c: f64): v128 {
    return v128.splat<T>(0);
  }
}

export class Scale {
  value<T>(x: v128, a: f64, c: f64): v128 {
    return v128.add<T>(v128.mul<T>(x, v128.splat<T>(<T>a)), v128.splat<T>(<T>c));
  }
  derivative<T>(_x: v128, a: f64, _c: f64): v128 {
    return v128.splat<T>(<T>a);
  }
}

export class Power {
  value<T>(x: v128, a: f64, _c: f64): v128 {
    return powerOf<T>(x, a);
  }
  derivative<T>(x: v128, a: f64, _c: f64): v128 {
    if (a == 0) return v128.splat<T>(0);
    return v128.mul<T>(powerOf<T>(x, a - 1), v128.splat<T>(<T>a));
  }
}

/** 1 for x > 0, else 0. */
// @inline
function positive<T>(x: v128): v128 {
  return v128.and(v128.gt<T>(x, v128.splat<T>(0)), v128.splat<T>(1));
}

/** −1, 0 or +1. */
// @inline
function signOf<T>(x: v128): v128 {
  return v128.sub<T>(positive<T>(x), positive<T>(v128.neg<T>(x)));
}
