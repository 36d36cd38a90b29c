import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { figures } from "../../../docs/figures/support-vectors.js";

/** Figures are committed, so that pages show them; `FIGURES=write npx vitest run figures` draws them anew. */
describe("the figures of the guide are what the library draws", () => {
  it.each(Object.entries(figures))("%s", (name, draw) => {
    const file = new URL(`../../../docs/guide/figures/${name}`, import.meta.url);
    const drawn = draw();
    if (process.env["FIGURES"] === "write") writeFileSync(file, drawn);
    expect(drawn).toBe(readFileSync(file, "utf8"));
  });
});
