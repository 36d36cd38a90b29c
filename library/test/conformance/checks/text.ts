import { expect } from "vitest";
import { DataError, ParameterError, ShapeError } from "../../../src/core/errors.js";
import { documents } from "../data.js";
import { type AnyModel, answers, type Check, expectError, expectSame, type Subject } from "../subject.js";

/** Claims of other lists that hold whatever X is. */
export const claimsOfAnyInput: readonly string[] = [
  "refuses weights, since it does not declare them",
  "learns the same bits from the same input",
  "does not start when its signal has already fired",
  "works with every choice in its table: finite answers, and the same after saving",
  "leaves no kernel memory behind",
  "has partialFit exactly if it declares it, and it leaves the model it starts from alone",
];

const texts = documents(20, 5);
const exact = { within: 0 };

/** Runs a claim on fit and on transform. */
function everywhere(subject: Subject, run: (call: (documents: unknown) => unknown) => void): void {
  const estimator = subject.make();
  run((given) => estimator.fit(given));
  const model = estimator.fit(texts);
  run((given) => model.transform!(given));
}

/** Whether `fit` looks at the documents at all: one that hashes does not. */
const learns = (_: unknown, { type }: Subject) => type.id !== "HashingVectorizer";

export const textChecks: readonly Check[] = [
  {
    claim: "refuses one string where documents are meant, and says what to do",
    run: (subject) =>
      everywhere(subject, (call) => {
        expectError(
          () => call("one document"),
          DataError,
          /documents must be an array .* got "one document"\. One document is an array too: \[text\]\./,
        );
      }),
  },
  {
    claim: "refuses what is not a list of documents",
    run: (subject) =>
      everywhere(subject, (call) => {
        for (const given of [null, 5, {}, Symbol("documents")]) {
          expectError(() => call(given), DataError, /documents must be an array/);
        }
      }),
  },
  {
    claim: "names the document that is not a string",
    run: (subject) => {
      const model = subject.make().fit(texts);
      const calls = [(given: unknown) => model.transform!(given)];
      if (learns(undefined, subject)) calls.push((given) => subject.make().fit(given) as never);
      for (const call of calls) {
        for (const wrong of [null, undefined, 5, ["a"], {}]) {
          expectError(() => call([...texts, wrong]), DataError, /documents\[20\] must be a string, got/);
        }
      }
    },
  },
  {
    claim: "takes documents from any iterable, and reads it once",
    run: (subject) => {
      const model = subject.make().fit(texts);
      const expected = answers(model, texts);
      let read = 0;
      function* oneByOne() {
        for (const text of texts) {
          read++;
          yield text;
        }
      }
      expectSame(answers(subject.make().fit(oneByOne()), texts), expected, exact);
      if (learns(undefined, subject)) expect(read).toBe(texts.length);
      for (const given of [new Set(texts), oneByOne()]) expectSame(answers(model, given), expected, exact);
    },
  },
  {
    claim: "takes documents that arrive one after the other",
    run: async (subject) => {
      const model = subject.make().fit(texts) as AnyModel & {
        transformAsync(documents: unknown): Promise<{ values: Float64Array; indices: Int32Array }>;
      };
      async function* later() {
        for (const text of texts) {
          await Promise.resolve();
          yield text;
        }
      }
      const { values, indices } = model.transform!(texts) as never as {
        values: Float64Array;
        indices: Int32Array;
      };
      for (const given of [later(), texts]) {
        const other = await model.transformAsync(given);
        expect([other.values, other.indices]).toEqual([values, indices]);
      }
      await expect(model.transformAsync("text")).rejects.toThrow(DataError);
      await expect(model.transformAsync([...texts, 1])).rejects.toThrow(/documents\[20\]/);
    },
  },
  {
    claim: "cannot learn from no documents, and answers nothing for none",
    run: (subject) => {
      if (learns(undefined, subject)) {
        expectError(() => subject.make().fit([]), ShapeError, /documents must be one or more, got none/);
      }
      const none = subject.make().fit(texts).transform!([]);
      expect(none.rows).toBe(0);
    },
  },
  {
    claim: "gives one document the same row among others and alone",
    run: (subject) => {
      const model = subject.make().fit(texts);
      const all = answers(model, texts).transform as Float64Array;
      const width = all.length / texts.length;
      for (const i of [0, 7, 19]) {
        const alone = answers(model, [texts[i]]);
        expectSame(alone, { transform: all.slice(i * width, (i + 1) * width) }, exact);
      }
    },
  },
  {
    claim: "does not depend on the order of the documents",
    run: (subject) => {
      const expected = answers(subject.make().fit(texts), texts);
      const shuffled = texts.map((_, i) => texts[(i * 7) % texts.length]!);
      expectSame(answers(subject.make().fit(shuffled), texts), expected, exact);
    },
  },
  {
    claim: "gives an empty document a row of zeros, and terms it does not know no column",
    run: (subject) => {
      const model = subject.make().fit(texts);
      const { transform } = answers(model, ["", " \n"]);
      expect((transform as Float64Array).every((value) => value === 0)).toBe(true);
    },
  },
  {
    claim: "refuses to be saved or described with a function, which would be lost",
    run: (subject) => {
      for (const params of [
        { tokenizer: (text: string) => text.split(" ") },
        { preprocessor: (text: string) => text.toUpperCase() },
      ]) {
        const estimator = subject.build(params);
        const model = estimator.fit(texts);
        const [name] = Object.keys(params);
        const text = new RegExp(`${name} must be null, since functions cannot be saved, got a function`);
        expectError(() => model.toState(), ParameterError, text);
        expectError(() => JSON.stringify(estimator), ParameterError, text);
      }
    },
  },
];
