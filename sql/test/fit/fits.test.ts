import { openDuckdbFits, openLocal, openPostgresFits } from "./databases.js";
import { families } from "./families/index.js";
import { fitsAlike } from "./fits-alike.js";

fitsAlike(openLocal(), families);
fitsAlike(await openDuckdbFits(), families);
fitsAlike(await openPostgresFits(), families);
