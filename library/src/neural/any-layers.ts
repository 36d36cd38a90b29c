import type { MatrixLike } from "../core/contract.js";
import type { Design } from "../data/input.js";
import type { Shape } from "./autodiff/shape.js";
import { shapeOfRows } from "./input-shape.js";
import { sequential } from "./layers/composition.js";
import { dense } from "./layers/dense.js";
import { wholeNetwork } from "./layers/registry.js";
import { classOutputs } from "./learn-network.js";
import { Network } from "./network/network.js";

/** Input and layers of a recipe: the layers given, or 100 hidden neurons and the outputs. A regressor has one output, as two classes have. */
export const anyLayers = (layers: Parameters<typeof wholeNetwork>[0], inputShape: Shape | null) => ({
  inputShape: (where: string, x: MatrixLike, { cols }: Design) => shapeOfRows(where, inputShape, x, cols),
  network: (where: string, input: Shape, classes = 2) => {
    const usual = () => sequential(dense(100, { activation: "relu" }), dense(classOutputs(classes)));
    return new Network(where, wholeNetwork(layers) ?? usual(), input);
  },
});
