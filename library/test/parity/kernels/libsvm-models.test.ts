import {
  FittedProbabilisticSVC,
  type FittedSVC,
  FittedSVR,
  formatLibsvmModel,
  Matrix,
  parseLibsvmModel,
  SVC,
  SVR,
} from "argmax";
import { describe, expect, it } from "vitest";
import { expectClose } from "../claims.js";
import { type Case, casesOf, dataOf, pick } from "../fixtures.js";

interface Expected {
  readonly rows: readonly number[];
  readonly predict: readonly number[];
  /** One column a pair of classes, in the order and with the signs of the file. */
  readonly decision: readonly (readonly number[])[];
  /** One column a class, in the order of the file. */
  readonly predictProba?: readonly (readonly number[])[];
}

interface LibsvmCase extends Case<Expected> {
  readonly model: string;
  readonly cols: number;
  /** Of a precomputed kernel, x·y. */
  readonly trainingRows?: readonly number[];
}

const cases = casesOf<Expected>("libsvm-models") as readonly LibsvmCase[];

/** Both add up the same products in their own order, LIBSVM's Gaussian kernel from differences and ours from products. */
const ROUNDING = 1e-12;

const labelsOf = (model: string) => /^label (.*)$/m.exec(model)![1]!.trim().split(" ").map(Number);

async function rowsOf(fixture: LibsvmCase): Promise<number[][]> {
  const { X } = await dataOf(fixture);
  const rows = pick(X, fixture.expected.rows);
  if (fixture.trainingRows === undefined) return rows;
  const training = pick(X, fixture.trainingRows);
  return rows.map((x) => training.map((t) => t.reduce((sum, v, j) => sum + v * x[j]!, 0)));
}

const widthOf = ({ trainingRows, cols }: LibsvmCase) => ({ cols: trainingRows?.length ?? cols });

/** Columns of pairs in our order and with our signs as the file has them. */
function asInFile(pairs: Matrix, classes: readonly number[], labels: readonly number[]): Matrix {
  const K = classes.length;
  const columns: { at: number; sign: number }[] = [];
  for (const [i, first] of labels.entries()) {
    for (const second of labels.slice(i + 1)) {
      // Of two classes our margin is positive for the second, of more for the first of each pair.
      const [a, b] = [classes.indexOf(first), classes.indexOf(second)];
      const [low, high] = [Math.min(a, b), Math.max(a, b)];
      const at = Array.from({ length: low }, (_, k) => K - 1 - k).reduce((sum, n) => sum + n, high - low - 1);
      columns.push({ at, sign: a < b === K > 2 ? 1 : -1 });
    }
  }
  const data = pairs.toArray().flatMap((row) => columns.map(({ at, sign }) => sign * row[at]!));
  return new Matrix(Float64Array.from(data), pairs.rows, columns.length);
}

function expectClassifier(model: FittedSVC<number>, x: number[][], fixture: LibsvmCase): void {
  const { expected } = fixture;
  const labels = labelsOf(fixture.model);
  expect(model.classes).toEqual([...labels].sort((a, b) => a - b));
  expect(model.predict(x)).toEqual(expected.predict);
  const decision = asInFile(model.decisionFunction(x), model.classes, labels);
  expectClose(decision.data, expected.decision.flat(), ROUNDING);
  expect(model instanceof FittedProbabilisticSVC).toBe(expected.predictProba !== undefined);
  if (!(model instanceof FittedProbabilisticSVC)) return;
  const columns = labels.map((label) => model.classes.indexOf(label));
  const ours = model
    .predictProba(x)
    .toArray()
    .flatMap((row) => columns.map((k) => row[k]!));
  expectClose(ours, expected.predictProba!.flat(), ROUNDING);
}

describe("models of svm-train predict here what svm-predict says", () => {
  for (const fixture of cases.filter(({ estimator }) => estimator === "SVC")) {
    it(fixture.name, async () => {
      const x = await rowsOf(fixture);
      const options = { ...widthOf(fixture), decisionFunctionShape: "ovo" } as const;
      const model = parseLibsvmModel(fixture.model, SVC, options);
      expectClassifier(model, x, fixture);
      expectClassifier(parseLibsvmModel(formatLibsvmModel(model), SVC, options), x, fixture);
    });
  }

  for (const fixture of cases.filter(({ estimator }) => estimator === "SVR")) {
    it(fixture.name, async () => {
      const x = await rowsOf(fixture);
      const model = parseLibsvmModel(fixture.model, widthOf(fixture));
      expect(model).toBeInstanceOf(FittedSVR);
      const again = parseLibsvmModel(formatLibsvmModel(model), SVR, widthOf(fixture));
      for (const { predict } of [model, again].map((m) => ({ predict: m.predict(x) })))
        expectClose(predict, fixture.expected.predict, ROUNDING);
    });
  }
});

/** Words and numbers, −0 as 0. */
const wordsOf = (text: string) =>
  text.split(/[\s:]+/).map((word) => (word === "" || Number.isNaN(Number(word)) ? word : Number(word) + 0));

// Of two classes formatLibsvmModel puts the larger one first.
const sameOrder = cases.filter(({ model }) => !model.includes("\nlabel 1 2\n"));

describe("formatLibsvmModel writes what svm-train wrote", () => {
  for (const fixture of sameOrder) {
    it(fixture.name, () => {
      const written = formatLibsvmModel(parseLibsvmModel(fixture.model, widthOf(fixture)));
      // Of ν nothing is left but the coefficients, and a regressor's probA is a width that no prediction needs.
      const regression = fixture.estimator === "SVR";
      const type = regression ? "epsilon_svr" : "c_svc";
      const known = fixture.model.replace(/nu_sv[cr]/, type).replace(regression ? /^probA.*\n/m : "", "");
      expect(wordsOf(written)).toEqual(wordsOf(known));
    });
  }
});
