/** Description of a generated dataset. The same spec produces the same bytes, and its text names the files. */
export type DataSpec =
  | {
      /** X standard normal; labels the arg max of 2XW/√m plus Gumbel noise, so that classes overlap. */
      readonly kind: "classification";
      readonly rows: number;
      readonly cols: number;
      readonly classes: number;
      /** Columns that carry signal (m); all of them if absent. */
      readonly informative?: number;
      readonly seed: number;
    }
  | {
      /** X standard normal; y = Xw/√m + noise of deviation 1/2, w zero outside the first m columns. */
      readonly kind: "regression";
      readonly rows: number;
      readonly cols: number;
      readonly informative: number;
      /** More than one: y is a matrix, whose columns have weights w of their own. */
      readonly targets?: number;
      readonly seed: number;
    }
  | {
      /** Rows like tf-idf documents: unit length, few of many columns, some columns far commoner than others. */
      readonly kind: "documents";
      readonly rows: number;
      readonly cols: number;
      readonly nonZeros: number;
      readonly seed: number;
    }
  | {
      /** Rows like tf-idf of short messages: words as common as 1/rank, some of which are rather written in the one message of eight that is spam. */
      readonly kind: "messages";
      readonly rows: number;
      readonly cols: number;
      readonly words: number;
      readonly seed: number;
    }
  | {
      /** Columns like those of a census: whole and skewed numbers, then categories as codes, one column per entry of `categories`. */
      readonly kind: "mixed";
      readonly rows: number;
      readonly numbers: number;
      readonly categories: readonly number[];
      readonly seed: number;
    }
  | { readonly kind: "included"; readonly name: "iris" | "digits"; readonly target: "class" | "lastColumn" }
  /** The text of a CSV file: numbers as programs print them, whole numbers, names, categories, dates and gaps. */
  | { readonly kind: "csv"; readonly rows: number; readonly seed: number }
  /** Real documents, descriptions of Debian's packages; class 1 are libraries. Drawn from mails where there is no net. */
  | { readonly kind: "texts"; readonly megabytes: number }
  /** Gaussian clusters of deviation 1 around `centres` points drawn uniformly from [−10, 10]. */
  | {
      readonly kind: "clusters";
      readonly rows: number;
      readonly cols: number;
      readonly centres: number;
      readonly seed: number;
    }
  /** Fashion-MNIST's images of clothes, 784 columns, as Debian's dataset-fashion-mnist has them; `unit` scales 0 … 255 to 0 … 1. */
  | { readonly kind: "images"; readonly rows: number; readonly unit?: true }
  /** Rows of standard normals without a target, for kernels. */
  | { readonly kind: "normals"; readonly rows: number; readonly cols: number; readonly seed: number }
  /** Two matrices of standard normals in one file, m × k and k × n: the factors of a product. */
  | {
      readonly kind: "factors";
      readonly m: number;
      readonly k: number;
      readonly n: number;
      readonly seed: number;
    };
