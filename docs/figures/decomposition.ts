import { PCA } from "argmax";
import { loadDataset } from "argmax/datasets";
import { colours, grey, Plane } from "./plane.js";

/** The figure of docs/guide/decomposition.md: the variance of each component of digits, and their sum. */

async function scree(): Promise<string> {
  const { X } = await loadDataset("digits");
  const pca = new PCA();
  const { explainedVarianceRatio: ratio } = pca.fit(X);
  const plane = new Plane("Explained variance of the components of digits", {
    x: [-2, 66],
    y: [-0.05, 1.05],
  });
  plane.line([0, 0], [64, 0], `stroke="${grey}"`).line([0, 0], [0, 1], `stroke="${grey}"`);
  plane.line([0, 0.9], [64, 0.9], `stroke="${grey}" stroke-dasharray="4 3"`);
  let sum = 0;
  ratio.forEach((share, k) => {
    plane.line([k + 0.5, 0], [k + 0.5, share], `stroke="${colours[0]}" stroke-width="4"`);
    plane.line([k, sum], [k + 1, sum + share], `stroke="${colours[1]}" stroke-width="2"`);
    sum += share;
  });
  return plane.toString();
}

export const figures: Readonly<Record<string, () => string | Promise<string>>> = {
  "scree.svg": scree,
};
