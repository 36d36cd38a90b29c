export { CsvGuess, type GuessedColumn } from "./csv-guess.js";
export { type Decoder, textDecoderOf } from "./decoder.js";
export { type CsvKind, type CsvOptions, parseCsv, parseCsvOptions } from "./parse-csv.js";
