import { describe, expect, test } from "vitest";
import { Matrix } from "../../src/data/matrix.js";
import { estimatorClasses } from "../../src/persistence/index.js";
import type { AnyEstimator, Numbers } from "./subject.js";

const create = (Class: (typeof estimatorClasses)[number], params: object = {}) =>
  new (Class as unknown as new (params: object) => AnyEstimator)(params);

describe("starters", () => {
  const starters = estimatorClasses.filter(({ starter }) => starter !== undefined);

  // Densities are compared with clusterings.
  test.each([["classification"], ["regression"], ["clustering", "density"]])(
    "of a %s have places of their own, from 1 on",
    (...tasks) => {
      const own = starters.filter(({ capabilities: { task } }) => tasks.some((one) => one === task));
      const places = own.map(({ starter }) => starter!.place).sort((a, b) => a - b);
      expect(places).toEqual(places.map((_, k) => k + 1));
      expect(places.length).toBeGreaterThan(2);
    },
  );

  test.each(starters.map((Class) => [Class.id, Class] as const))(
    "%s can be made with its parameters",
    (_, Class) => {
      expect(create(Class, Class.starter!.params).params).toMatchObject(Class.starter!.params ?? {});
    },
  );
});

const invertible = estimatorClasses.filter(({ capabilities }) => capabilities.invertible);

test.each(invertible.map((Class) => [Class.id, Class] as const))("%s maps a column back", (_, Class) => {
  const x = Array.from({ length: 60 }, (_, i) => [Math.round(100 * Math.exp(Math.sin(7 * i))) / 100]);
  const model = create(Class).fit(x) as unknown as {
    transform(x: unknown): Numbers;
    inverseTransform(x: unknown): Numbers;
  };
  const back = Matrix.fromRows(x);
  const found = model.inverseTransform(model.transform(x)).data;
  for (const [i, value] of back.data.entries()) expect(found[i]).toBeCloseTo(value, 6);
});
