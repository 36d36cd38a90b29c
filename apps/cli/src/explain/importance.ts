import { setImmediate } from "node:timers/promises";
import type { Label, LoadedModel, Samples } from "argmax";
import { Matrix, PermutationImportance, permutationImportance } from "argmax";
import { barPlot } from "argmax/plot";
import { Failure } from "../command.js";
import { withoutTitle } from "../report/page.js";
import { type Findings, largest } from "../report/sections.js";
import { ProgressBar } from "../terminal/progress.js";
import type { Terminal } from "../terminal/terminal.js";

interface ImportanceSettings {
  readonly names: readonly string[];
  readonly repeats: number;
  readonly seed: number;
  readonly top: number;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/** Permutation importance with progress: repeat r is `permutationImportance` with one repeat and the seed `seed + r`. */
export async function measureImportance(
  model: LoadedModel,
  X: Samples,
  y: readonly Label[],
  { names, repeats, seed, terminal, signal }: ImportanceSettings,
): Promise<PermutationImportance> {
  const bar = new ProgressBar(terminal, repeats * (names.length + 1));
  const all = Matrix.zeros(names.length, repeats);
  let baseline = 0;
  for (let r = 0; r < repeats; r++) {
    let column = -1;
    const scoring = (own: unknown, x: Samples, truth: readonly Label[]) => {
      bar.begin("permutation importance", names[column++] ?? "as it is");
      const score = (own as Required<LoadedModel>).score(x, truth);
      bar.advance();
      return score;
    };
    const found = permutationImportance(model, X, y, {
      nRepeats: 1,
      randomState: seed + r,
      scoring,
      featureNames: names,
    });
    baseline = found.baseline;
    for (let j = 0; j < names.length; j++) all.data[j * repeats + r] = found.repeats.at(j, 0);
    // Lets Ctrl-C through.
    await setImmediate();
    if (signal.aborted) {
      bar.end();
      throw new Failure(`Stopped after ${r + 1} of ${repeats} repeats; --repeats ${r + 1} computes as much.`);
    }
  }
  bar.end();
  return new PermutationImportance(names, baseline, all);
}

export function importanceFindings(
  found: PermutationImportance,
  { top, repeats, isClassifier, rows }: { top: number; repeats: number; isClassifier: boolean; rows: number },
): Findings {
  const { names, mean, std, baseline } = found;
  const values = names.map((name, j) => ({ name, value: mean[j]!, spread: std[j]! }));
  const metric = isClassifier ? "accuracy" : "R²";
  const text =
    `How much the ${metric} of ${baseline.toFixed(3)} on ${rows} rows falls when a column is shuffled, over ${repeats} repeats. ` +
    "Of strongly correlated columns, each seems unimportant.";
  const svg = withoutTitle(
    barPlot({ names, mean, std }, { most: top, title: "", label: `loss of ${metric}` }),
  );
  return {
    sections: [
      { kind: "bars", title: "Permutation importance", text, ...largest(values, top), isSigned: false, svg },
    ],
    objects: [
      { type: "baseline", metric: isClassifier ? "accuracy" : "r2", value: baseline, rows },
      ...values.map(({ name, value, spread }) => ({
        type: "permutation",
        feature: name,
        mean: value,
        std: spread,
      })),
    ],
  };
}
