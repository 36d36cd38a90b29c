export { datasetNames, loadDataset } from "./load-dataset.js";
export type {
  ClassificationDataset,
  DatasetName,
  Datasets,
  Digit,
  PenguinSpecies,
  PenguinsDataset,
  PenguinTable,
  RegressionDataset,
} from "./types.js";
