export { csvDatasetNames, loadCsv } from "./load-csv.js";
export { datasetNames, loadDataset } from "./load-dataset.js";
export { loadTexts, textDatasetNames } from "./load-texts.js";
export type {
  ClassificationDataset,
  CsvDataset,
  CsvDatasetName,
  CsvDatasets,
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
