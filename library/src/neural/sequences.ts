import { DataError, ParameterError, show } from "../core/errors.js";
import { maxOf } from "../core/numbers/extremes.js";
import { isArrayLike } from "../core/numbers/typed-arrays.js";
import { readOptions } from "../core/params/options.js";
import { integer, optional, type Params } from "../core/params/params.js";
import { Matrix } from "../data/matrix.js";
import { LARGEST_VOCABULARY } from "./layers/tokens.js";

export const padSequencesOptions = {
  length: optional(
    integer({ atLeast: 1, default: 1, doc: "Length of the rows; null: that of the longest." }),
  ),
  padding: integer({
    atLeast: 0,
    atMost: LARGEST_VOCABULARY - 1,
    default: 0,
    doc: "The token that fills up short rows.",
  }),
};

/** Lists of tokens as rows of one length: shorter ones are filled up at the end, longer ones are cut. */
export function padSequences(
  sequences: readonly ArrayLike<number>[],
  options: Params<typeof padSequencesOptions> = {},
): Matrix<Float32Array> {
  const where = "padSequences";
  const { length, padding } = readOptions(where, padSequencesOptions, options);
  if (!Array.isArray(sequences) || sequences.length === 0 || !sequences.every(isArrayLike)) {
    throw new ParameterError(where, "sequences", "a list of lists of tokens", show(sequences));
  }
  const cols =
    length ??
    maxOf(
      sequences.map((tokens) => tokens.length),
      1,
    );
  const data = new Float32Array(sequences.length * cols).fill(padding);
  for (const [i, tokens] of sequences.entries()) {
    for (let t = 0; t < Math.min(cols, tokens.length); t++) {
      const token = tokens[t] as number;
      if (!Number.isSafeInteger(token) || token < 0 || token >= LARGEST_VOCABULARY) {
        const subject = `sequences[${i}][${t}]`;
        const expected = `a whole number from 0 to ${LARGEST_VOCABULARY - 1}`;
        throw new DataError(where, subject, expected, show(token));
      }
      data[i * cols + t] = token;
    }
  }
  return new Matrix(data, sequences.length, cols);
}
