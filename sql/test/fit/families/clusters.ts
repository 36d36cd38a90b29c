import { GaussianMixture, KMeans } from "argmax";
import { type FitCase, numbersSample, ROUNDING } from "../cases.js";

const K = 3;
/** Centres near those of the samples, moved by an offset. */
const centres = (offset: number) =>
  Array.from({ length: K }, (_, c) => [0, 1, 2].map((j) => offset + (c - 0.2) * (j - 1) * 0.9));

const mixed = (covarianceType: "full" | "tied" | "diag" | "spherical" | "identity", offset = 0) => {
  const one = [0.9, 0.4, 0.2];
  const full = one.map((p, i) => one.map((_, j) => (i === j ? p : 0)));
  const precisionsInit = {
    full: [full, full, full],
    tied: full,
    diag: [one, one, one],
    spherical: [0.5, 0.5, 0.5],
    identity: null,
  }[covarianceType];
  return new GaussianMixture({
    nComponents: K,
    covarianceType,
    weightsInit: [0.3, 0.3, 0.4],
    meansInit: centres(offset),
    precisionsInit,
    tol: 1e-7,
    maxIter: 8,
  });
};

const em = {
  within: 1e-6,
  because: "EM repeats the rounding of sums in another order as often as it iterates",
  except: ["values.report.gradientNorm"],
};
const near = () => [
  numbersSample("numbers", { task: "none" }),
  numbersSample("weights", { task: "none", weighted: true }),
];
const far = () => [numbersSample("an offset of 1e6", { task: "none", offset: 1e6 })];

const lloyd = {
  within: 1e-9,
  because: ROUNDING,
  except: ["tensors.labels", "values.report.gradientNorm", "values.report.solver"],
};

export const clusters: readonly FitCase[] = [
  {
    name: "KMeans",
    make: () => new KMeans({ nClusters: K, init: centres(0) }),
    samples: near(),
    ...lloyd,
  },
  {
    name: "KMeans",
    make: () => new KMeans({ nClusters: K, init: centres(1e8), tol: 0 }),
    samples: [numbersSample("an offset of 1e8", { task: "none", offset: 1e8 })],
    ...lloyd,
  },
  {
    name: "KMeans, a centre without rows",
    make: () => new KMeans({ nClusters: 4, init: [...centres(0), [90, 90, 90]], maxIter: 5 }),
    samples: near(),
    ...lloyd,
  },
  {
    name: "KMeans on a scratch file",
    make: () => new KMeans({ nClusters: K, init: centres(0) }),
    samples: near(),
    ...lloyd,
    options: { scratch: {} },
  },
  {
    name: "KMeans on a scratch file, a centre without rows",
    make: () => new KMeans({ nClusters: 4, init: [...centres(0), [90, 90, 90]], maxIter: 5 }),
    samples: near(),
    ...lloyd,
    options: { scratch: {} },
  },
  {
    name: "KMeans, one cluster",
    make: () => new KMeans({ nClusters: 1 }),
    samples: near(),
    ...lloyd,
    except: [...lloyd.except, "values.report.iterations"],
  },
  { name: "GaussianMixture, diag", make: () => mixed("diag"), samples: near(), ...em },
  { name: "GaussianMixture, diag", make: () => mixed("diag", 1e6), samples: far(), ...em },
  { name: "GaussianMixture, spherical", make: () => mixed("spherical"), samples: near(), ...em },
  { name: "GaussianMixture, full", make: () => mixed("full"), samples: near(), ...em },
  { name: "GaussianMixture, tied", make: () => mixed("tied"), samples: near(), ...em },
  { name: "GaussianMixture, identity", make: () => mixed("identity"), samples: near(), ...em },
  {
    name: "GaussianMixture, hard assignments",
    make: () => new GaussianMixture({ ...mixed("diag").params, hardAssignments: true }),
    samples: near(),
    ...em,
  },
];
