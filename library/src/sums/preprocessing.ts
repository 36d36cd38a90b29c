/** What steps do with counts and sums, once they have them. */

export { LATEST } from "../preprocessing/encoders/calendar.js";
export {
  type Category,
  givenCategories,
  listed,
  sortedCategories,
} from "../preprocessing/encoders/categories.js";
export { partsThatVary } from "../preprocessing/encoders/date-parts.js";
export { IGNORE, rareCodes } from "../preprocessing/encoders/one-hot-encoder.js";
export { ASSIGN, checkCodes } from "../preprocessing/encoders/ordinal-encoder.js";
export { type CategorySums, encodingsOfSums } from "../preprocessing/encoders/target-encodings.js";
export { refuseFill, takes } from "../preprocessing/imputers/fitted-simple-imputer.js";
