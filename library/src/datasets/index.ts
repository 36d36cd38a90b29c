export { datasetNames, loadDataset } from "./load-dataset.js";
export { loadTexts, textDatasetNames } from "./load-texts.js";
export type {
  ClassificationDataset,
  DatasetName,
  Datasets,
  Digit,
  MailTopic,
  PenguinSpecies,
  PenguinsDataset,
  PenguinTable,
  RegressionDataset,
  TextDataset,
  TextDatasetName,
  TextDatasets,
} from "./types.js";
