import type { Answer, Ask, TaskName } from "../protocol.js";
import { catalogue } from "./catalogue.js";
import type { Context } from "./context.js";
import { convert, describe, parse, review } from "./data.js";
import { estimate } from "./estimate.js";
import { internals } from "./internals.js";
import { frames, stepPanels } from "./pictures/frames.js";
import { grid } from "./pictures/grid.js";
import { predict } from "./predict.js";
import { table } from "./tables.js";
import { train } from "./train.js";

/** One function per task. */
export const answers: { readonly [K in TaskName]: (ask: Ask<K>, context: Context<K>) => Promise<Answer<K>> } =
  {
    catalogue,
    table,
    parse,
    convert,
    describe,
    review,
    estimate,
    train,
    grid,
    frames,
    stepPanels,
    internals,
    predict,
    // Loaded when they are first asked for: the first pictures do not wait for them.
    flip: async (ask, context) => (await import("./flip.js")).flip(ask, context),
    places: async (ask, context) => (await import("./pictures/places.js")).places(ask, context),
    rank: async (ask, context) => (await import("./rank.js")).rank(ask, context),
    calibrate: async (ask) => (await import("./calibrate.js")).calibrate(ask),
    artefacts: async (ask, context) => (await import("./ship.js")).describeModel(ask, context),
    ship: async (ask, context) => (await import("./ship.js")).ship(ask, context),
  };
