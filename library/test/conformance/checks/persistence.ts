import { expect } from "vitest";
import { FormatError } from "../../../src/core/errors.js";
import { loadModel, saveModel } from "../../../src/persistence/index.js";
import { problem } from "../data.js";
import { type AnyModel, answers, answersOf, type Check } from "../subject.js";

const methodsOf = (model: AnyModel) => [
  ...answersOf(model),
  ...["inverseTransform", "score", "classes", "labels"].filter((name) => name in model),
];

export const persistenceChecks: readonly Check[] = [
  {
    claim: "saves and loads to a model with the same methods and bit-equal answers",
    run: (subject) => {
      const { X, y } = problem(subject);
      const model = subject.make().fit(X, y);
      const bytes = saveModel(model);
      const back = loadModel(bytes) as unknown as AnyModel;
      expect(methodsOf(back)).toEqual(methodsOf(model));
      expect(back.constructor).toBe(model.constructor);
      expect(answers(back, X)).toEqual(answers(model, X));
      expect(back.nFeatures).toBe(model.nFeatures);
      expect(back.report).toEqual(model.report);
      expect(saveModel(back)).toEqual(bytes);
    },
  },
  {
    claim: "saves its parameters with what it learned",
    run: (subject) => {
      const { X, y } = problem(subject);
      const estimator = subject.make();
      const { kind, params } = estimator.fit(X, y).toState();
      expect({ estimator: kind, params }).toEqual(JSON.parse(JSON.stringify(estimator)));
    },
  },
  {
    claim: "answers a damaged file with a FormatError",
    run: (subject) => {
      const { X, y } = problem(subject);
      const bytes = saveModel(subject.make().fit(X, y));
      for (let at = 0; at < bytes.length; at += 1 + Math.floor(bytes.length / 300)) {
        const damaged = bytes.with(at, bytes[at]! ^ 0x55);
        expect(() => loadModel(damaged)).toThrow(FormatError);
      }
      expect(() => loadModel(bytes.subarray(0, bytes.length - 1))).toThrow(FormatError);
    },
  },
  {
    claim: "answers a state with a tensor missing, cut short or full of NaN with a FormatError",
    run: (subject) => {
      const { X, y } = problem(subject);
      const model = subject.make().fit(X, y);
      const state = model.toState();
      for (const name of Object.keys(state.tensors)) {
        const { shape, data } = state.tensors[name]!;
        const { [name]: _, ...others } = state.tensors;
        const short = { shape: [0, ...shape.slice(1)], data: data.slice(0, 0) };
        const forged = [others, { ...others, [name]: { shape, data: data.slice().fill(Number.NaN) } }];
        if (Object.keys(others).length > 0) forged.push({ ...others, [name]: short });
        for (const tensors of data instanceof Float64Array ? forged : forged.slice(0, 1)) {
          const bytes = saveModel({ nFeatures: 0, toState: () => ({ ...state, tensors }) });
          expect(() => loadModel(bytes)).toThrow(FormatError);
        }
      }
    },
  },
];
