import { conform } from "../conform.js";
import { families } from "../registry.js";

conform(families.isotonic);
