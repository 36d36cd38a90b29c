import type { DatasetName } from "./types.js";

interface Entry {
  readonly targetName: string;
  readonly featureNames: readonly string[];
  readonly description: string;
  readonly source: string;
  readonly licence: string;
}

const uci = "CC BY 4.0";

const cellFigures = [
  "radius",
  "texture",
  "perimeter",
  "area",
  "smoothness",
  "compactness",
  "concavity",
  "concave points",
  "symmetry",
  "fractal dimension",
];

const pixels = Array.from({ length: 64 }, (_, p) => `pixel_${p >> 3}_${p & 7}`);

/** The description of each dataset: names, source and licence. Names and order of the columns are scikit-learn's. */
export const catalogue: Readonly<Record<DatasetName, Entry>> = {
  iris: {
    targetName: "species",
    featureNames: ["sepal length (cm)", "sepal width (cm)", "petal length (cm)", "petal width (cm)"],
    description: "Four measurements of 150 iris flowers, 50 of each of three species.",
    source:
      "R. A. Fisher (1936), The use of multiple measurements in taxonomic problems; as in scikit-learn.",
    licence: uci,
  },
  wine: {
    targetName: "cultivar",
    featureNames: [
      "alcohol",
      "malic_acid",
      "ash",
      "alcalinity_of_ash",
      "magnesium",
      "total_phenols",
      "flavanoids",
      "nonflavanoid_phenols",
      "proanthocyanins",
      "color_intensity",
      "hue",
      "od280/od315_of_diluted_wines",
      "proline",
    ],
    description: "Chemical analysis of 178 wines of one Italian region, from three cultivars.",
    source: "M. Forina et al. (1991), UCI Wine; as in scikit-learn.",
    licence: uci,
  },
  breastCancer: {
    targetName: "diagnosis",
    featureNames: [
      ...cellFigures.map((figure) => `mean ${figure}`),
      ...cellFigures.map((figure) => `${figure} error`),
      ...cellFigures.map((figure) => `worst ${figure}`),
    ],
    description: "Thirty figures of cell nuclei in images of 569 breast tumours: 357 benign, 212 malignant.",
    source: "W. H. Wolberg et al. (1995), UCI Breast Cancer Wisconsin (Diagnostic); as in scikit-learn.",
    licence: uci,
  },
  digits: {
    targetName: "digit",
    featureNames: pixels,
    description: "1,797 images of handwritten digits, 8 × 8 pixels of 0 to 16.",
    source:
      "E. Alpaydin, C. Kaynak (1998), UCI Optical Recognition of Handwritten Digits; as in scikit-learn.",
    licence: uci,
  },
  diabetes: {
    targetName: "progression",
    featureNames: ["age", "sex", "bmi", "bp", "s1", "s2", "s3", "s4", "s5", "s6"],
    description:
      "Age, sex, body mass index, blood pressure and six blood values of 442 patients, and a measure of the " +
      "progress of their diabetes one year later.",
    source:
      "B. Efron, T. Hastie, I. Johnstone, R. Tibshirani (2004), Least Angle Regression; as in scikit-learn.",
    licence: "Published by the authors with the paper; redistributed by scikit-learn under BSD-3-Clause",
  },
  penguins: {
    targetName: "species",
    featureNames: ["billLength", "billDepth", "flipperLength", "bodyMass"],
    description:
      "Bill and flipper (mm) and body mass (g) of 344 penguins of three species on three islands of the Palmer " +
      "Archipelago.",
    source: "K. B. Gorman, T. D. Williams, W. R. Fraser (2014), Palmer Station LTER; via palmerpenguins.",
    licence: "CC0 1.0",
  },
};
