import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { figures as clusters } from "../../../docs/figures/clustering.js";
import { figures as database } from "../../../docs/figures/database.js";
import { figures as decomposition } from "../../../docs/figures/decomposition.js";
import { figures as inspection } from "../../../docs/figures/inspection.js";
import { figures as mixtures } from "../../../docs/figures/mixtures.js";
import { figures as neighbors } from "../../../docs/figures/neighbors.js";
import { figures as networks } from "../../../docs/figures/neural.js";
import { figures as machines } from "../../../docs/figures/support-vectors.js";
import { figures as trees } from "../../../docs/figures/trees.js";

const all = {
  ...clusters,
  ...database,
  ...decomposition,
  ...inspection,
  ...machines,
  ...mixtures,
  ...neighbors,
  ...networks,
  ...trees,
};

/** Figures are committed, so that pages show them; `FIGURES=write npx vitest run figures` draws them anew. */
describe("the figures of the guide are what the library draws", () => {
  it.each(Object.entries(all))(
    "%s",
    async (name, draw) => {
      const file = new URL(`../../../docs/guide/figures/${name}`, import.meta.url);
      const drawn = await draw();
      if (process.env["FIGURES"] === "write") writeFileSync(file, drawn);
      expect(drawn).toBe(readFileSync(file, "utf8"));
      // Some train a network, which takes ten seconds where nothing else runs.
    },
    120_000,
  );
});
