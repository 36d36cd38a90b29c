import { absent, readOptions } from "../../core/params/options.js";
import { flag, integer, type ParamSpec, real } from "../../core/params/params.js";
import { showShape } from "../autodiff/shape.js";
import { type Layer, layer } from "../network/layer.js";
import { type Activation, activationJson, readActivation } from "./activations.js";
import { multiHeadAttention, requireTokens } from "./attention.js";
import { residual } from "./composition.js";
import { dense } from "./dense.js";
import { dropout, layerNorm } from "./normalization.js";
import { any, optionsJson, readCount } from "./options.js";

export interface FeedForwardOptions {
  /** Activation of the hidden units; "gelu" unless given. */
  readonly activation?: Activation | undefined;
}

const feedForwardOptions = {
  activation: any("Activation of the hidden units."),
} satisfies Record<keyof FeedForwardOptions, ParamSpec<unknown>>;

/** f(x·W₁ + b₁)·W₂ + b₂: `hidden` units per token, and back to the dimensions of the input. */
export function feedForward(hidden: number, options: FeedForwardOptions = {}): Layer {
  const units = readCount("feedForward", "hidden", hidden);
  const given = readOptions("feedForward", feedForwardOptions, options);
  const activation = readActivation("feedForward", given.activation ?? "gelu");
  const json = { hidden: units, activation: activationJson(activation) };
  return layer("feedForward", json, (input, builder) => {
    const d = input.at(-1) ?? builder.refuse("the input", "at least one axis", showShape(input));
    const first = builder.child("hidden", dense(units, { activation }), input);
    const second = builder.child("output", dense(d), first.output);
    return { output: second.output, forward: (x, pass) => second.forward(first.forward(x, pass), pass) };
  });
}

export interface TransformerBlockOptions {
  /** Hidden units of the feed-forward part; 4 per dimension unless given. */
  readonly hidden?: number | undefined;
  /** Dropout of both parts' results while training. */
  readonly dropout?: number | undefined;
  /** Whether a token attends to itself and earlier tokens only. */
  readonly causal?: boolean | undefined;
  /** Activation of the hidden units; "gelu" unless given. */
  readonly activation?: Activation | undefined;
}

const blockOptions = {
  hidden: absent(
    integer({
      atLeast: 1,
      default: 1,
      doc: "Hidden units of the feed-forward part; 4 per dimension if absent.",
    }),
  ),
  dropout: real({ atLeast: 0, below: 1, default: 0, doc: "Dropout of both parts' results while training." }),
  causal: flag({ default: false, doc: "Whether a token attends to itself and earlier tokens only." }),
  activation: any("Activation of the hidden units."),
} satisfies Record<keyof TransformerBlockOptions, ParamSpec<unknown>>;

/** 2048 hidden units for 512 dimensions [Vaswani et al. 2017, § 3.3]. */
const HIDDEN_PER_DIMENSION = 4;

/**
 * A block of a transformer with the normalisation before each part, which trains without warm-up [Xiong et
 * al. 2020]:
 *
 *   x ← x + dropout(attention(layerNorm(x)))
 *   x ← x + dropout(feedForward(layerNorm(x)))
 */
export function transformerBlock(heads: number, options: TransformerBlockOptions = {}): Layer {
  const count = readCount("transformerBlock", "heads", heads);
  const given = readOptions("transformerBlock", blockOptions, options);
  const activation = readActivation("transformerBlock", given.activation ?? "gelu");
  const { causal, hidden } = given;
  const json = {
    heads: count,
    ...optionsJson(blockOptions, { ...given, activation: activationJson(activation) }),
  };
  const dropped = given.dropout > 0 ? [dropout(given.dropout)] : [];
  return layer("transformerBlock", json, (input, builder) => {
    const [, d] = requireTokens(input, builder);
    const units = hidden ?? HIDDEN_PER_DIMENSION * d;
    const attention = residual(layerNorm(), multiHeadAttention(count, { causal }), ...dropped);
    const perToken = residual(layerNorm(), feedForward(units, { activation }), ...dropped);
    const first = builder.child("attention", attention, input);
    const second = builder.child("feedForward", perToken, first.output);
    return { output: second.output, forward: (x, pass) => second.forward(first.forward(x, pass), pass) };
  });
}
