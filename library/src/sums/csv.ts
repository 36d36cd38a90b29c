/** How a CSV file writes what is missing, for databases that read one. */
export { MISSING as missingCells } from "../csv/parse-csv.js";
