import { openClickhouseFits } from "../fit/databases.js";
import { families } from "../fit/families/index.js";
import { fitsAlike } from "../fit/fits-alike.js";

fitsAlike(await openClickhouseFits(), families);
