import { limits, type ModelEntry } from "../../state/document.js";
import type { Part, Stage } from "../../state/param-value.js";
import type { EstimatorInfo, Task } from "../../work/protocol.js";

/** What an added estimator can be made of. */
interface Around {
  readonly models: readonly ModelEntry[];
  /** Estimators of the task. */
  readonly fits: readonly EstimatorInfo[];
  readonly task: Task;
  /** Features that are not free text. */
  readonly columns: readonly string[];
  /** The class of interest, of a classification. */
  readonly positive: string | undefined;
}

/** Parameters without which an estimator cannot be made, so that it trains at once; none where its defaults are enough. */
export function firstParts(estimator: string, around: Around): ModelEntry["params"] {
  const info = around.fits.find(({ id }) => id === estimator);
  const has = (kind: string) => info?.params.some((param) => param.kind === kind) ?? false;
  if (has("estimators")) return { estimators: firstMembers(around) };
  const ofInterest = hasPositive(info) && around.positive !== undefined && { positiveLabel: around.positive };
  return { ...(has("stages") && { stages: firstStages(around) }), ...ofInterest };
}

/** Whether one of its two classes is the one that it is to find. */
const hasPositive = (info: EstimatorInfo | undefined): boolean =>
  info?.multiclass === false && info.params.some(({ name }) => name === "positiveLabel");

const MEMBERS = 3;

/** The first models of the bench that fit the task; with fewer than two, three that are unlike each other. */
function firstMembers({ models, fits }: Around): readonly Part[] {
  const fitting = models.filter(({ estimator }) => fits.some(({ id }) => id === estimator));
  if (fitting.length >= 2) return fitting.slice(0, MEMBERS).map(({ id }) => ({ model: id }));
  return (["linear", "tree", "rows"] as const).map((form) => ({ estimator: cheapest(form, fits) }));
}

/** The fastest of a form among those that are compared by default. */
function cheapest(form: EstimatorInfo["form"], fits: readonly EstimatorInfo[]): string {
  const [first] = fits
    .filter((info) => info.form === form && info.cost !== null)
    .sort((a, b) => a.cost! - b.cost!);
  if (first === undefined) throw new Error(`No estimator of the form ${form}.`);
  return first.id;
}

/** A linear model of the first half of the columns, then an ensemble of all of them. Each column costs 1. */
function firstStages({ columns: all, fits }: Around): readonly Stage[] {
  const columns = all.slice(0, 2 * limits.columns);
  const half = Math.ceil(columns.length / 2);
  const stage = (estimator: string, own: readonly string[]): Stage => ({
    part: { estimator },
    columns: own,
    cost: own.length,
    sensitivity: null,
  });
  const first = stage(cheapest("linear", fits), columns.slice(0, half));
  return columns.length < 2 ? [first] : [first, stage(cheapest("ensemble", fits), columns.slice(half))];
}
