import { clustersOf, type Story } from "./story.js";

const source = { kind: "generated", shape: "blobs", rows: 240, noise: 0.3, balance: 0.34, seed: 7 } as const;

export const mixtures: Story = {
  name: "mixtures",
  title: "EM and k-means",
  about: "Groups without labels: hard ones around centres, soft ones under Gaussians.",
  pages: [
    {
      heading: "k-means: assign, then move",
      text: [
        "Every row belongs to the nearest centre (the crosses); every centre moves to the mean of its rows. Two steps that never raise the sum of squared distances.",
      ],
      scene: {
        kind: "models",
        source,
        ...clustersOf,
        models: [{ estimator: "KMeans", params: { nClusters: 3, init: "random", nInit: 1, randomState: 3 } }],
        controls: [
          { param: "nClusters", label: "clusters", values: [2, 3, 4, 5, 6] },
          { param: "randomState", label: "start", values: [0, 1, 2, 3, 4] },
        ],
        plays: true,
      },
    },
    {
      heading: "EM: responsibilities, then parameters",
      text: [
        "A mixture of Gaussians gives every row a fraction of every component. The E step computes these responsibilities, the M step means and covariances weighted by them (the ellipses are at two deviations). The log-likelihood never falls.",
      ],
      scene: {
        kind: "models",
        source,
        ...clustersOf,
        models: [
          {
            estimator: "GaussianMixture",
            params: { nComponents: 3, initParams: "randomFromData", randomState: 1 },
          },
        ],
        controls: [
          { param: "nComponents", label: "components", values: [2, 3, 4, 5] },
          { param: "covarianceType", label: "covariances", values: ["full", "tied", "diag", "spherical"] },
        ],
        plays: true,
      },
    },
    {
      heading: "Side by side",
      text: [
        "With equal round covariances and responsibilities rounded to 0 and 1, EM is k-means. Where groups are long or of different size, the two differ.",
      ],
      scene: {
        kind: "models",
        source: { kind: "generated", shape: "moons", rows: 240, noise: 0.12, balance: 0.5, seed: 1 },
        ...clustersOf,
        models: [
          { estimator: "KMeans", params: { nClusters: 2, randomState: 0 } },
          { estimator: "GaussianMixture", params: { nComponents: 2, randomState: 0 } },
          { estimator: "DBSCAN", params: { eps: 0.3 } },
        ],
      },
    },
  ],
};
