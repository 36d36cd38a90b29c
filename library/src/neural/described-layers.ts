import type { Json } from "../core/state/state.js";
import { type NetworkLayer, type Scores, undescribed } from "../core/structure.js";
import type { NdArray } from "./autodiff/arrays.js";

interface LayerJson {
  readonly layer: string;
  readonly layers?: readonly LayerJson[];
  readonly activation?: string | { readonly name: string; readonly a?: number; readonly c?: number };
}

/** A network of dense layers and activations; others have layers that no kind of structure describes. */
export function describedLayers(
  json: Json,
  weights: ReadonlyMap<string, NdArray>,
  logits: boolean,
  outputs: number,
): Scores {
  const { layer, layers = [] } = json as unknown as LayerJson;
  if (layer !== "sequential") return unlike(layer);
  const out: NetworkLayer[] = [];
  for (const [e, { layer, activation }] of layers.entries()) {
    // Dropout does nothing when a network predicts.
    if (layer === "dropout") continue;
    const matrix = weights.get(`${e}.weights`);
    if (layer === "dense") {
      const [rows, cols] = matrix!.shape as readonly [number, number];
      const data = matrix!.data as Float64Array;
      const bias = (weights.get(`${e}.bias`)?.data ?? new Float64Array(cols)) as Float64Array;
      out.push({ kind: layer, weights: { data, rows, cols }, bias });
    } else if (layer !== "activation") return unlike(layer);
    const part = typeof activation === "string" ? { name: activation } : activation;
    if (part) out.push({ kind: "activation", ...part });
  }
  const last = out.at(-1);
  if (logits && last?.kind === "activation" && /^(softmax|sigmoid)$/.test(last.name)) {
    if (last.a ?? last.c) return unlike(last.name);
    out.pop();
  }
  return { kind: "network", layers: out, outputs };
}

const unlike = (layer: string) => undescribed(`its network has a ${layer} layer`);
