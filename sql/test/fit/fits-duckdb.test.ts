import { openDuckdbFits } from "./databases.js";
import { families } from "./families/index.js";
import { fitsAlike } from "./fits-alike.js";

fitsAlike(await openDuckdbFits({ optimizes: false }), families);
