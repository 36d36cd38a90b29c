import type { DataSpec } from "../data/spec.js";
import { type Contestant, type Workload, workloadsWith } from "../workload.js";
import { argmax, sklearn } from "./contestants.js";

const classes = (rows: number, seed: number): DataSpec => ({
  kind: "classification",
  rows,
  cols: 20,
  classes: 2,
  informative: 10,
  seed,
});
const large = classes(100_000, 41);
const numbers: DataSpec = { kind: "regression", rows: 100_000, cols: 20, informative: 10, seed: 42 };
const threeTargets: DataSpec = { ...numbers, targets: 3, seed: 44 };
const small = classes(4000, 43);

const npm = (call: string, params: object): Contestant => ({
  side: "ml.js",
  call,
  params: { ...params },
  once: true,
});

const tree = (kind: "Classifier" | "Regressor", ours: object = {}, theirs: object = {}) => [
  argmax(`DecisionTree${kind}`, ours),
  sklearn(`tree.DecisionTree${kind}`, theirs),
];
/** Both grow trees on all processors: 2 where this was measured. */
const forest = (name: string, trees = 100) => [
  argmax(name, { nEstimators: trees }),
  sklearn(`ensemble.${name}`, { n_estimators: trees, n_jobs: -1 }),
];

const entropy = tree(
  "Classifier",
  { criterion: "entropy", maxDepth: 10 },
  { criterion: "entropy", max_depth: 10 },
);

// Of equal splits scikit-learn draws one: the error of a full tree on 20,000 rows varies by 1 to 2 % of itself.
const oneTree = { ratio: 1, objective: 3e-2 } as const;
// Two forests draw different rows.
const manyTrees = { ratio: 1, objective: 3e-2 } as const;

const fits = workloadsWith({ group: "ensembles", action: "heldOut", pledge: manyTrees, data: large }, [
  {
    id: "tree-gini",
    title: "DecisionTreeClassifier, gini, to the end, 80,000 × 20",
    contestants: tree("Classifier"),
    pledge: oneTree,
  },
  {
    id: "tree-entropy",
    title: "DecisionTreeClassifier, entropy, depth 10, 80,000 × 20",
    contestants: entropy,
    pledge: oneTree,
  },
  {
    id: "tree-regression",
    title: "DecisionTreeRegressor, to the end, 80,000 × 20",
    data: numbers,
    contestants: tree("Regressor"),
    pledge: oneTree,
  },
  {
    id: "forest",
    title: "RandomForestClassifier, 100 trees, 80,000 × 20",
    contestants: forest("RandomForestClassifier"),
  },
  {
    id: "extra-trees",
    title: "ExtraTreesClassifier, 100 trees, 80,000 × 20",
    contestants: forest("ExtraTreesClassifier"),
  },
  {
    id: "forest-regression",
    title: "RandomForestRegressor, 10 trees, 80,000 × 20",
    data: numbers,
    contestants: forest("RandomForestRegressor", 10),
  },
  {
    id: "forest-targets",
    title: "RandomForestRegressor, 3 targets, 10 trees, 80,000 × 20",
    data: threeTargets,
    contestants: forest("RandomForestRegressor", 10),
  },
]);

const answers = workloadsWith({ group: "ensembles", action: "heldOutPredict", data: large }, [
  {
    id: "tree-predict",
    title: "DecisionTreeClassifier, to the end: 20,000 rows",
    contestants: tree("Classifier"),
    pledge: oneTree,
  },
  {
    id: "forest-predict",
    title: "RandomForestClassifier, 100 trees: 20,000 rows",
    contestants: forest("RandomForestClassifier"),
    pledge: manyTrees,
  },
  {
    id: "extra-trees-predict",
    title: "ExtraTreesClassifier, 100 trees: 20,000 rows",
    contestants: forest("ExtraTreesClassifier"),
    pledge: manyTrees,
  },
  {
    id: "tree-one",
    title: "DecisionTreeClassifier, depth 10: one row",
    group: "latency",
    action: "predictOne",
    data: small,
    contestants: tree("Classifier", { maxDepth: 10 }, { max_depth: 10 }),
    pledge: { ratio: 1 },
  },
  {
    id: "forest-one",
    title: "RandomForestClassifier, 100 trees: one row",
    group: "latency",
    action: "predictOne",
    data: classes(500, 44),
    contestants: [
      argmax("RandomForestClassifier"),
      // Threads cost more than they save here.
      sklearn("ensemble.RandomForestClassifier"),
    ],
    pledge: { ratio: 1 },
  },
]);

/** Small enough for the npm packages. */
const beside = workloadsWith({ group: "ensembles", action: "heldOut" }, [
  {
    id: "tree-small",
    title: "DecisionTreeClassifier, gini, depth 10, 3,200 × 20",
    data: small,
    contestants: [
      ...tree("Classifier", { maxDepth: 10 }, { max_depth: 10 }),
      npm("ml-cart", { gainFunction: "gini", maxDepth: 10, minNumSamples: 2 }),
    ],
    pledge: { ratio: 1, objective: 5e-2 },
    note: "ml-cart tries every threshold anew: of 80,000 rows it would take hours.",
  },
  {
    id: "forest-small",
    title: "RandomForestClassifier, 20 trees, 800 × 20",
    data: classes(1000, 44),
    contestants: [
      ...forest("RandomForestClassifier", 20),
      npm("ml-random-forest", { nEstimators: 20, maxFeatures: 4, noOOB: true, seed: 1, replacement: false }),
    ],
    pledge: { ratio: 1, objective: 5e-1 },
    note: "ml-random-forest draws its columns once per tree. Of 200 rows some 20 are wrong, give or take 6 from seed to seed on either side.",
  },
]);

/** As many rows and columns as the tf-idf of the SMS spam collection has; a fifth is held out. */
const messages: DataSpec = { kind: "messages", rows: 5574, cols: 15_000, words: 13, seed: 45 };
const shallow = tree("Classifier", { maxDepth: 5 }, { max_depth: 5 });
// Some 30 of 1,115 messages are classified wrongly, with some variation due to ties of rare words.
const rareWords = { ratio: 1, objective: 3e-1 } as const;
const sparseFit = (id: string, title: string, contestants: readonly Contestant[]): Workload => ({
  id,
  title: `${title}, sparse 4,459 × 15,000`,
  group: "ensembles",
  action: "heldOut",
  data: messages,
  contestants,
  pledge: rareWords,
});
const sparseAnswer = (id: string, title: string, contestants: readonly Contestant[]): Workload => ({
  id: `${id}-predict`,
  title: `${title}: 1,115 sparse rows`,
  group: "ensembles",
  action: "heldOutPredict",
  data: messages,
  contestants,
  pledge: rareWords,
});

const sparse: readonly Workload[] = [
  ["sparse-tree-5", "DecisionTreeClassifier, depth 5", shallow] as const,
  ["sparse-tree", "DecisionTreeClassifier, to the end", tree("Classifier")] as const,
  ["sparse-forest", "RandomForestClassifier, 100 trees", forest("RandomForestClassifier")] as const,
  ["sparse-extra-trees", "ExtraTreesClassifier, 100 trees", forest("ExtraTreesClassifier")] as const,
].flatMap(([id, title, contestants]) => [
  sparseFit(id, title, contestants),
  sparseAnswer(id, title, contestants),
]);

/** As many rows and columns as the census data "adult" has. */
const census: DataSpec = {
  kind: "mixed",
  rows: 40_700,
  numbers: 6,
  categories: [9, 16, 7, 15, 6, 5, 2, 42],
  seed: 46,
};
const mixed: readonly Workload[] = [
  {
    id: "forest-mixed",
    title: "RandomForestClassifier, 100 trees, 32,560 × 14, 8 of them categories",
    group: "ensembles",
    action: "heldOut",
    data: census,
    contestants: [
      argmax("RandomForestClassifier", { categoricalFeatures: [6, 7, 8, 9, 10, 11, 12, 13] }),
      sklearn("ensemble.RandomForestClassifier", { n_jobs: -1 }),
    ],
    pledge: { ratio: 1, objective: 5e-2 },
    note: "scikit-learn treats codes of categories as numbers.",
  },
];

export const trees: readonly Workload[] = [...fits, ...answers, ...beside, ...sparse, ...mixed];
