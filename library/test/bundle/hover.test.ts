import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
// @ts-expect-error: a build script, without types
import { showValue } from "../../../tools/build/describe-row.mjs";
import { estimatorClasses } from "../../src/persistence/generated/estimators.js";
import { LanguageServer } from "../support/language-server.js";
import { userProject } from "./user-project.js";

const isNeural = (id: string) => /^(?:CNN|MLP|Neural|Transformer|ViT)/.test(id);
const ids = estimatorClasses.map(({ id }) => id);
/** TypeScript shows no docs of a property that several members of a union have, until another one decides which member it is. */
const decided: Readonly<Record<string, string>> = {
  "LogisticRegression.solver": 'penalty: "l2"',
  "LinearSVC.penalty": 'loss: "hinge"',
  "NearestCentroid.shrinkThreshold": 'metric: "euclidean"',
  "HistGradientBoostingRegressor.quantile": 'loss: "quantile"',
  "OrdinalEncoder.unknownValue": 'handleUnknown: "useEncodedValue"',
  "LinearDiscriminantAnalysis.shrinkage": 'solver: "lsqr"',
  "AgglomerativeClustering.metric": 'linkage: "average"',
  "DBSCAN.algorithm": 'metric: "euclidean"',
};
const parameters = estimatorClasses.flatMap(({ id, table }) =>
  Object.entries(table).map(([name, spec]) => {
    const other = decided[`${id}.${name}`];
    const value = typeof spec.default === "object" ? "undefined" : JSON.stringify(spec.default);
    return { id, name, spec, value, code: `new ${id}({ ${other ? `${other}, ` : ""}` };
  }),
);

/** Functions whose options are a table, and what is shown over one of them. */
const functions = [
  { code: "makeMoons({ ", name: "noise", shown: "Default: 0." },
  { code: "kernels.polynomial({ ", name: "degree", shown: "Degree of the polynomial. Default: 3." },
  { code: "optimizers.adam({ ", name: "learningRate", shown: "Default: 0.001." },
  { code: "trainTestSplit([[1]], [1], { ", name: "shuffle", shown: "Default: true." },
  { code: 'new LogisticRegression({ penalty: "l1", ', name: "solver", shown: 'Default: "auto".' },
  { code: 'new DBSCAN({ algorithm: "kdTree", ', name: "minSamples", shown: "Default: 5." },
];

describe("an editor shows over a parameter", () => {
  const folder = userProject({ module: "NodeNext", strict: true, exactOptionalPropertyTypes: true });
  const path = join(folder, "every-parameter.ts");
  const places = [...parameters, ...functions.map((entry) => ({ ...entry, value: "undefined" }))];
  const source = [
    `import { kernels, makeMoons, trainTestSplit, ${ids.filter((id) => !isNeural(id)).join(", ")} } from "argmax";`,
    `import { optimizers, ${ids.filter(isNeural).join(", ")} } from "argmax/neural";`,
    ...places.map(({ code, name, value }) => `${code}${name}: ${value} });`),
  ];
  let server: LanguageServer;
  let hovers: string[];

  beforeAll(async () => {
    server = await LanguageServer.start(folder);
    server.open(path, source.join("\n"));
    hovers = await Promise.all(places.map(({ code }, i) => server.hover(path, i + 2, code.length)));
  }, 60_000);
  afterAll(() => {
    server.stop();
    rmSync(folder, { recursive: true });
  });

  it.each(ids)("of %s its doc and its default", (id) => {
    for (const [i, parameter] of parameters.entries()) {
      if (parameter.id !== id) continue;
      const { name, spec } = parameter;
      expect(hovers[i], `${id}.${name}: npm run build`).toContain(spec.doc);
      if (spec.default !== undefined)
        expect(hovers[i], `${id}.${name}`).toContain(`Default: ${showValue(spec.default)}.`);
      if (spec.kind !== "flag") expect(hovers[i], `${id}.${name}`).toContain(`Must be ${spec.expected}`);
    }
  });

  it.each(functions)("of $code…: $name", ({ code, shown }) => {
    const at = parameters.length + functions.findIndex((entry) => entry.code === code);
    expect(hovers[at]).toContain(shown);
  });
});
