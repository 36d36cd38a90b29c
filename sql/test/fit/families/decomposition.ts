import { GaussianNB, PCA, pipeline, TruncatedSVD } from "argmax";
import { type FitCase, numbersSample } from "../cases.js";

const EIGEN = "eigenvectors of scatters summed in another order";

const numbers = () => numbersSample("numbers", { task: "none" });
const far = () => numbersSample("an offset of 1e8", { task: "none", offset: 1e8 });

export const decomposition: readonly FitCase[] = [
  { name: "PCA", make: () => new PCA(), samples: [numbers(), far()], within: 1e-8, because: EIGEN },
  {
    name: "PCA of a fraction of the variance, whitened",
    make: () => new PCA({ nComponents: 0.8, whiten: true, svdSolver: "gram" }),
    samples: [numbers(), far()],
    within: 1e-7,
    because: EIGEN,
  },
  {
    name: "TruncatedSVD",
    make: () => new TruncatedSVD({ algorithm: "exact" }),
    samples: [numbers(), numbersSample("an offset of 1000", { task: "none", offset: 1000 })],
    within: 1e-8,
    because: EIGEN,
  },
  {
    name: "pipeline(PCA, GaussianNB)",
    make: () => pipeline(new PCA({ nComponents: 2 }), new GaussianNB()),
    samples: [numbersSample("classes"), numbersSample("weights", { weighted: true })],
    within: 1e-8,
    because: EIGEN,
  },
];
