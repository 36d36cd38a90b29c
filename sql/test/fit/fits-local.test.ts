import { openLocal } from "./databases.js";
import { families } from "./families/index.js";
import { fitsAlike } from "./fits-alike.js";

fitsAlike(openLocal(), families);
