import { GaussianNB, OneHotEncoder, pipeline, SimpleImputer } from "argmax";
import { type FitCase, numbersSample, ROUNDING, type Sample } from "../cases.js";

const names = [
  `x"; DROP TABLE fit_1; --`,
  "it's \\ a 'name' \\\\",
  "-- 漢字 naïve 🐘 /* */ $1 ?",
  "%s {x:UInt8} `tick` \t$$",
] as const;
const labels = ["'; DELETE FROM fit_1; --", 'a"b\\', "\\'", "日本 🦆 -- %"] as const;

/** Names and labels that would end a statement, or begin another one, if they were not quoted. */
function hostileSample(): Sample {
  const { columns } = numbersSample("hostile", { classes: 3, weighted: true });
  const [a, b, c] = [columns["x one"]!, columns['x"2']!, columns["x3"]!];
  const y = columns["y"]!.map(
    (letter, i) => labels[i % 13 === 5 ? 3 : ["ash", "birch", "cedar"].indexOf(String(letter))]!,
  );
  return {
    name: "hostile names and labels",
    columns: { [names[0]]: a, [names[1]]: b, [names[2]]: c, [names[3]]: y, "; w --": columns["w"]! },
    features: names.slice(0, 3),
    target: names[3],
    sampleWeight: "; w --",
  };
}

/** A column of such texts. */
function hostileTexts(): Sample {
  const { columns, features, ...sample } = hostileSample();
  const text = columns[names[3]]!.map((_, i) => (i % 7 === 0 ? null : labels[(i * i) % 4]!));
  return {
    ...sample,
    name: "hostile texts",
    columns: { ...columns, "t'ext\\": text },
    features: ["t'ext\\"],
  };
}

export const hostile: readonly FitCase[] = [
  {
    name: "GaussianNB",
    make: () => new GaussianNB(),
    samples: [hostileSample()],
    within: 1e-8,
    because: ROUNDING,
  },
  {
    name: "pipeline(OneHotEncoder, GaussianNB)",
    make: () =>
      pipeline(
        new SimpleImputer({ strategy: "mostFrequent" }),
        new OneHotEncoder({ sparseOutput: false }),
        new GaussianNB(),
      ),
    samples: [hostileTexts()],
    within: 1e-8,
    because: ROUNDING,
  },
];
