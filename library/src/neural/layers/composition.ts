import { ParameterError, show } from "../../core/errors.js";
import { add } from "../autodiff/ops/arithmetic.js";
import { sameShape, showShape } from "../autodiff/shape.js";
import { isLayer, type Layer, layer } from "../network/layer.js";

/** The layers one after the other. */
export function sequential(...layers: readonly Layer[]): Layer {
  const own = readLayers("sequential", layers);
  return layer("sequential", { layers: own.map((part) => part.toJSON()) }, (input, builder) => {
    let shape = input;
    const built = own.map((part, e) => {
      const child = builder.child(String(e), part, shape);
      shape = child.output;
      return child;
    });
    return {
      output: shape,
      forward: (x, pass) => built.reduce((y, { forward }) => forward(y, pass), x),
    };
  });
}

/** x + f(x): the layers inside learn what to add to their input. */
export function residual(...layers: readonly Layer[]): Layer {
  const own = readLayers("residual", layers);
  return layer("residual", { layers: own.map((part) => part.toJSON()) }, (input, builder) => {
    const before = [...builder.reached];
    const inner = sequential(...own).build(input, builder);
    builder.reached = new Set([...before, ...builder.reached]);
    if (!sameShape(inner.output, input))
      builder.refuse("the output of the layers inside", showShape(input), showShape(inner.output));
    return { output: input, forward: (x, pass) => add(x, inner.forward(x, pass)) };
  });
}

export function readLayers(where: string, layers: readonly unknown[]): readonly Layer[] {
  const list = layers.length === 1 && Array.isArray(layers[0]) ? (layers[0] as unknown[]) : layers;
  if (list.length > 0 && list.every(isLayer)) return Object.freeze([...(list as Layer[])]);
  const expected = "one or more layers, as dense(10)";
  const received = show(list.find((part) => !isLayer(part)) ?? list);
  throw new ParameterError(where, "layers", expected, received);
}
