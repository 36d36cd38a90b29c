import type { Json } from "../core/state.js";
import { type NetworkLayer, type Scores, undescribed } from "../core/structure.js";
import type { NdArray } from "./autodiff/arrays.js";

interface LayerJson {
  readonly layer: string;
  readonly layers?: readonly LayerJson[];
  readonly activation?: string | { readonly name: string; readonly a?: number; readonly c?: number };
}

/** Layers that do nothing when a network predicts. */
const idle: readonly string[] = ["dropout", "flatten"];

/** A network of dense layers and activations; others have layers that no kind of structure describes. */
export function describedLayers(json: Json, weights: ReadonlyMap<string, NdArray>, logits: boolean): Scores {
  const { layer, layers = [] } = json as unknown as LayerJson;
  if (layer !== "sequential") return unlike(layer);
  const out: NetworkLayer[] = [];
  for (const [e, { layer, activation }] of layers.entries()) {
    if (idle.includes(layer)) continue;
    if (layer !== "dense" && layer !== "activation") return unlike(layer);
    const matrix = weights.get(`${e}.weights`);
    if (matrix !== undefined) {
      const [rows, cols] = matrix.shape as readonly [number, number];
      const bias = weights.get(`${e}.bias`)?.data ?? new Float64Array(cols);
      out.push({
        kind: "dense",
        weights: { data: Float64Array.from(matrix.data), rows, cols },
        bias: Float64Array.from(bias),
      });
    }
    const part = typeof activation === "string" ? { name: activation } : activation;
    if (part !== undefined && part.name !== "linear" && part.name !== "identity")
      out.push({ kind: "activation", ...part });
  }
  const last = out.at(-1);
  if (logits && last?.kind === "activation" && ["softmax", "sigmoid", "logistic"].includes(last.name)) {
    if (last.name === "sigmoid" && (last.a ?? 1) === 1 && (last.c ?? 0) === 0) out.pop();
    else if (last.name !== "sigmoid") out.pop();
    else return unlike("sigmoid with constants");
  }
  const sizes = out.flatMap((own) => (own.kind === "dense" ? [own.weights.cols] : []));
  return { kind: "network", layers: out, outputs: sizes.at(-1) ?? 0 };
}

const unlike = (layer: string) => undescribed(`its network has a layer of the kind ${layer}`);
