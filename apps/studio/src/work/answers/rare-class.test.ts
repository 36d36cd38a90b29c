import { expect, test } from "vitest";
import { quietContext } from "../../../test/worker-context.js";
import { categoryColumn } from "../../data/table.js";
import { Held } from "../held.js";
import { positionsOf } from "../measures/ranking.js";
import { train } from "./train.js";

/** Two classes apart on a line, and one row of a third. */
const x = Float64Array.from({ length: 41 }, (_, i) => (i === 40 ? 5 : (i % 2) + Math.sin(i) / 4));
const labels = Array.from(x, (_, i) => (i === 40 ? "rare" : i % 2 === 1 ? "high" : "low"));
const held = new Held();
held.set("t", {
  name: "t",
  rows: x.length,
  columns: [{ name: "x", kind: "number", values: x }, categoryColumn("class", labels)],
});
const context = quietContext(held);

test.each(["SVC", "LogisticRegression"])(
  "%s: a class that a fold has not seen has the least score there",
  async (estimator) => {
    const roles = {
      table: "t",
      features: ["x"],
      target: "class",
      group: null,
      task: "classification",
    } as const;
    const split = { kind: "folds", folds: 4, seed: 0 } as const;
    const { held: rows, classes } = await train(
      { roles, model: { estimator, params: {} }, split, preview: null },
      context,
    );
    const K = classes.length;
    const at = rows!.rows.indexOf(40);
    const rare = classes.indexOf("rare");
    const own = [...rows!.scores!.subarray(at * K, (at + 1) * K)];
    expect(own[rare]).toBe(Math.min(...own));
    expect(own.filter((score) => score === own[rare])).toHaveLength(1);
    const position = positionsOf(rows!, rows!.scores!, K, rare);
    expect(position[at]).toBe(0);
    // The margin between the other two is theirs alone: half of the difference of their scores.
    const high = classes.indexOf("high");
    const low = classes.indexOf("low");
    if (rows!.scale === "score") {
      const margin = (own[high]! - own[low]!) / 2;
      const found = positionsOf(rows!, rows!.scores!, K, high)[at]!;
      expect(found).toBeCloseTo(0.5 + (0.5 * margin) / (1 + Math.abs(margin)), 12);
    }
  },
);
