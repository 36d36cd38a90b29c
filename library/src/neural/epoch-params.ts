import { flag, integer, real } from "../core/params/params.js";

/** How the epochs of a training begin and when they end. */
export const epochParams = {
  tol: real({
    atLeast: 0,
    default: 1e-4,
    doc: "Stop when loss or validation score have not improved by tol for nIterNoChange epochs.",
  }),
  nIterNoChange: integer({ atLeast: 1, default: 10, doc: "Epochs without improvement before stopping." }),
  shuffle: flag({ default: true, doc: "Shuffle the rows before every epoch." }),
  earlyStopping: flag({
    default: false,
    doc: "Hold out validationFraction of the rows, or use the validation rows of fit, stop when their score stops rising, and keep the best weights.",
  }),
  validationFraction: real({ above: 0, below: 1, default: 0.1, doc: "Fraction of the rows held out." }),
};
