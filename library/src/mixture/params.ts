import { choice, flag, integer, type ParamValues, randomState, real } from "../core/params/params.js";
import { covarianceTypes } from "./gaussians.js";

/** What a mixture is and how it is fitted; shared by the density and the classifier made of it. */
export const mixtureParams = {
  nComponents: integer({ atLeast: 1, default: 1, doc: "Number of Gaussians K." }),
  covarianceType: choice(covarianceTypes, {
    default: "full",
    doc: "Covariances: any (full), one for all components (tied), diagonal (diag), a multiple of I (spherical), or I (identity).",
  }),
  tol: real({
    atLeast: 0,
    default: 1e-3,
    doc: "Stop when the mean log-likelihood changes by less than this.",
  }),
  regCovar: real({
    atLeast: 0,
    default: 1e-6,
    doc: "Added to the diagonal of every covariance (not of identity).",
  }),
  maxIter: integer({ atLeast: 1, default: 100, doc: "Iterations at most, per start." }),
  nInit: integer({
    atLeast: 1,
    default: 1,
    doc: "Number of starts; the one of the largest likelihood is kept.",
  }),
  initParams: choice(["kmeans", "k-means++", "random", "randomFromData"], {
    default: "kmeans",
    doc: "First responsibilities: clusters of k-means, rows drawn by k-means++, random numbers, or randomly drawn rows.",
  }),
  hardAssignments: flag({
    default: false,
    doc: "Give every row to its most probable component alone (classification EM); with identity and equalWeights: k-means.",
  }),
  equalWeights: flag({ default: false, doc: "Keep all mixing coefficients at 1/K." }),
  randomState: randomState(),
};
export type MixtureParams = ParamValues<typeof mixtureParams>;
