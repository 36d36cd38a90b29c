import { describe, expect, it } from "vitest";
import type { FittedModel } from "../../src/core/contract.js";
import { ArgmaxError, FormatError } from "../../src/core/errors.js";
import type { Json, ModelState, Tensor } from "../../src/core/state/state.js";
import { createLoader, type LoadedModel, saveModel } from "../../src/persistence/index.js";
import { parse, stringify } from "../../src/persistence/json.js";
import { readModelFile } from "../../src/persistence/model-file.js";
import { decodeSafetensors, encodeSafetensors } from "../../src/persistence/safetensors.js";
import { Pipeline, pipeline } from "../../src/pipeline/index.js";
import { MinMaxScaler, StandardScaler } from "../../src/preprocessing/index.js";
import { NearestMean } from "../support/nearest-mean.js";
import { fc } from "../support/properties.js";

const json = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: "binary" }),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(
      fc.oneof(fc.string(), fc.constantFrom("$number", "$", "__proto__", "constructor")),
      tie("value"),
      {
        maxKeys: 4,
        noNullPrototype: true,
      },
    ),
  ),
})).value;

const tensor: fc.Arbitrary<Tensor> = fc
  .oneof(
    fc.float64Array({ maxLength: 9 }),
    fc.float32Array({ maxLength: 9 }),
    fc.int32Array({ maxLength: 9 }),
    fc.uint8Array({ maxLength: 9 }),
  )
  .map((data) => ({ shape: [data.length], data }) as Tensor);

const name = fc
  .stringMatching(/^[a-zA-Z_]{1,8}$/)
  .filter((text) => text !== "__proto__" && text !== "__metadata__");
const record = <T>(value: fc.Arbitrary<T>) =>
  fc.dictionary(name, value, { maxKeys: 4, noNullPrototype: true });

/** States with parts nested to the given depth. */
const stateOf = (depth: number): fc.Arbitrary<ModelState> =>
  fc.record({
    kind: fc.string(),
    params: record(json),
    values: record(json),
    tensors: record(tensor),
    parts: depth === 0 ? fc.constant([]) : fc.array(stateOf(depth - 1), { maxLength: 2 }),
  });

const modelOf = (at: ModelState) => ({ toState: () => at, nFeatures: 0 }) as FittedModel;

const X = [
  [0, 1, 5],
  [2, 1, -5],
  [4, 1, 0],
  [9, 1, 1],
];
const model = pipeline(new StandardScaler(), new MinMaxScaler(), new NearestMean()).fit(X, [
  "a",
  "b",
  "a",
  "b",
]);
const { loadModel } = createLoader([StandardScaler, MinMaxScaler, Pipeline, NearestMean]);

describe("persistence", () => {
  it("load ∘ save is the identity on any JSON", () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(parse("test", stringify("test", value))).toEqual(value);
      }),
    );
  });

  it("load ∘ save is the identity on any state", () => {
    fc.assert(
      fc.property(stateOf(3), (given) => {
        expect(readModelFile("test", saveModel(modelOf(given)))).toEqual(given);
      }),
    );
  });

  it("any mutation of a file is a FormatError or changes nothing", () => {
    const bytes = saveModel(model);
    const expected = model.decisionFunction(X);
    const change = fc.record({ at: fc.nat(bytes.length - 1), to: fc.nat(255) });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const damaged = bytes.slice();
        for (const { at, to } of changes) damaged[at] = to;
        try {
          expect(loadModel(damaged).decisionFunction!(X)).toEqual(expected);
        } catch (error) {
          expect(error).toBeInstanceOf(FormatError);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("random bytes are a FormatError", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(() => loadModel(bytes)).toThrow(FormatError);
      }),
    );
  });

  it("a forged description with a right checksum is a FormatError, or a model whose answers are clear", () => {
    const original = model.toState();
    const spots: ((at: Mutable, value: Json) => void)[] = [
      (at, value) => assign(at.params, "steps", value),
      (at, value) => assign(at.parts![0]!.params, "withMean", value),
      (at, value) => assign(at.parts![1]!.params, "featureRange", value),
      (at, value) => assign(at.parts![2]!.values, "classes", value),
      (at, value) => assign(at.parts![2]!, "kind", String(value)),
      (at, value) => assign(at.parts![2]!, "values", value as never),
    ];
    fc.assert(
      fc.property(fc.nat(spots.length - 1), json, (spot, value) => {
        const forged = structuredClone(original) as unknown as Mutable;
        spots[spot]!(forged, value);
        answersClearly(saveModel(modelOf(forged as unknown as ModelState)));
      }),
      { numRuns: 1000 },
    );
  });

  it("forged tensors with a right checksum are a FormatError, or a model whose answers are clear", () => {
    const names = ["mean", "variance", "scale"];
    fc.assert(
      fc.property(fc.constantFrom(...names), tensor, (which, forgedTensor) => {
        const forged = structuredClone(model.toState()) as unknown as Mutable;
        assign(forged.parts![0]!.tensors, which, forgedTensor);
        answersClearly(saveModel(modelOf(forged as unknown as ModelState)));
      }),
      { numRuns: 1000 },
    );
  });

  it("the container reads back what it wrote", () => {
    fc.assert(
      fc.property(fc.dictionary(name, fc.string()), fc.array(fc.tuple(name, tensor)), (metadata, list) => {
        const tensors = new Map(list);
        const back = decodeSafetensors("test", encodeSafetensors({ metadata, tensors }));
        expect(new Map([...back.tensors].sort())).toEqual(new Map([...tensors].sort()));
      }),
    );
  });
});

interface Mutable {
  kind: string;
  params: Record<string, Json>;
  values: Record<string, Json>;
  tensors: Record<string, Tensor>;
  parts?: Mutable[];
}

function assign<T extends object, K extends keyof T>(object: T, key: K, value: T[K]): void {
  object[key] = value;
}

/** Either the file is refused, or what it makes can be asked and complains, if at all, in our words. */
function answersClearly(bytes: Uint8Array): void {
  let loaded: LoadedModel;
  try {
    loaded = loadModel(bytes);
  } catch (error) {
    expect(error).toBeInstanceOf(FormatError);
    return;
  }
  try {
    loaded.predict!(X);
  } catch (error) {
    expect(error).toBeInstanceOf(ArgmaxError);
  }
}
