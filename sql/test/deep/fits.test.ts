import { openClickhouseFits, openDuckdbFits, openPostgresFits } from "../fit/databases.js";
import { families } from "../fit/families/index.js";
import { fitsAlike } from "../fit/fits-alike.js";

fitsAlike(await openClickhouseFits(), families);
fitsAlike(await openPostgresFits(), families);
// Statements as its optimiser plans them; the short tests do without.
fitsAlike(await openDuckdbFits(), families);
