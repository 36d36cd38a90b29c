import { ParameterError, show } from "../../core/errors.js";
import { scale } from "../autodiff/ops/functions.js";
import { type Layer, layer } from "../network/layer.js";

/** x·factor: brings inputs to a common magnitude, e.g. rescale(1 / 255) for pixels. The factor is saved with the weights, not trained. */
export function rescale(factor: number): Layer {
  if (!Number.isFinite(factor) || factor === 0) {
    throw new ParameterError("rescale", "factor", "a finite number other than 0", show(factor));
  }
  return layer("rescale", { factor }, (input, builder) => {
    const slot = builder.buffer("factor", [1], factor);
    return { output: input, forward: (x, pass) => scale(x, pass.buffer(slot).array[0]!) };
  });
}
