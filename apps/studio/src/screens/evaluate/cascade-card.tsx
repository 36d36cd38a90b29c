import { maxOf } from "argmax/numeric";
import { linePath } from "argmax/plot";
import { useEffect, useMemo, useState } from "preact/hooks";
import { chooseRows, isChosen } from "../../state/choose-rows.js";
import type { CascadeStage, ModelEntry } from "../../state/document.js";
import { modelLabel } from "../../state/model-names.js";
import { document as current, dispatch } from "../../state/session.js";
import { runOf } from "../../state/training.js";
import { Chart } from "../../ui/chart.js";
import { short } from "../../ui/figures.js";
import { OptionalNumberField } from "../../ui/optional-number-field.js";
import { positionsOf, positionText, type Ranking } from "../../work/measures/ranking.js";
import type { Held, Trained } from "../../work/protocol.js";
import { bestWithin, frontier, runCascade, type Stage } from "./cascade.js";
import { SliderField } from "./decision-bar.js";
import { type Judged, rowsWhere } from "./judged.js";

/** A model that may be a stage: its held-out rows are those of the others. */
interface Member {
  readonly model: ModelEntry;
  readonly name: string;
  readonly trained: Trained;
  readonly scale: Held["scale"];
  /** Microseconds per row. */
  readonly time: number;
  readonly score: number;
}

/** A cheap model first; the rows of which it is not sure go on to a costlier one. */
export function CascadeCard(judged: Judged & { readonly ranking: Ranking }) {
  const { models, cascade } = current.value;
  const members = membersOf(models, judged);
  const stages = stagesOf(cascade.stages, members);
  return (
    <section class="eval-card cascade" aria-labelledby="cascade-title">
      <h2 id="cascade-title">Cascade</h2>
      <p class="note">
        A cheap model answers the rows of which it is sure: {judged.names[judged.positive]} from the upper
        threshold on, another class below the lower one. It passes the rows between on to a costlier model,
        which decides by the threshold above.
      </p>
      {stages === undefined ? (
        <p>A cascade needs two trained models with scores for the same rows: add one in Bench.</p>
      ) : (
        <Builder judged={judged} members={members} stages={stages} />
      )}
    </section>
  );
}

const positions = new WeakMap<Held, Map<number, Float64Array>>();

/** Once per model and class. */
function cachedPositions({ held, classes }: Trained, positive: number): Float64Array {
  let known = positions.get(held!);
  if (known === undefined) {
    known = new Map();
    positions.set(held!, known);
  }
  let found = known.get(positive);
  if (found === undefined) {
    found = positionsOf(held!, held!.scores!, classes.length, positive);
    known.set(positive, found);
  }
  return found;
}

function membersOf(models: readonly ModelEntry[], { held, names }: Judged): Member[] {
  return models.flatMap((model) => {
    const { trained, state } = runOf(model.id).value;
    if (state !== "done" || !trained?.held || trained.held.rows.length !== held.rows.length) return [];
    if (trained.classes.join("\n") !== names.join("\n")) return [];
    if (trained.held.scores === null) return [];
    const score = trained.scores.reduce((sum, value) => sum + value, 0) / Math.max(1, trained.scores.length);
    const name = modelLabel(model, models);
    const { scale } = trained.held;
    return [{ model, name, trained, scale, time: trained.predictMicroseconds, score }];
  });
}

/** Those of the document; else the fastest model and the best of the others. Undefined where there are no two. */
function stagesOf(given: readonly CascadeStage[], members: readonly Member[]): CascadeStage[] | undefined {
  const known = given.filter(({ model }) => members.some((member) => member.model.id === model));
  if (known.length >= 2 && known.length === given.length) return [...known];
  const [fastest] = [...members].sort((a, b) => a.time - b.time);
  const [best] = members.filter((member) => member !== fastest).sort((a, b) => b.score - a.score);
  if (fastest === undefined || best === undefined) return undefined;
  return [fastest, best].map(({ model }) => ({ model: model.id, cost: null, low: 0.2, high: 0.8 }));
}

/** How long the threshold must rest before the cascade follows it. */
const MILLISECONDS = 120;

/** A value that follows once it rests: sums over all rows are not for every pixel of a slider. */
function useSettled(value: number): number {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), MILLISECONDS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

interface BuilderProps {
  readonly judged: Judged & { readonly ranking: Ranking };
  readonly members: readonly Member[];
  readonly stages: readonly CascadeStage[];
}

function Builder({ judged, members, stages }: BuilderProps) {
  const { id, held, names, positive, ranking } = judged;
  const threshold = useSettled(judged.threshold);
  const { isPositive } = ranking;
  const { budget } = current.value.cascade;
  const memberOf = (model: string) => members.find((member) => member.model.id === model)!;
  const run: readonly Stage[] = stages.map(({ model, cost, low, high }) => {
    const member = memberOf(model);
    return { position: cachedPositions(member.trained, positive), low, high, cost: cost ?? member.time };
  });
  const recipe = JSON.stringify([stages, run.map(({ cost }) => cost), threshold, positive]);
  const result = useMemo(() => runCascade(run, threshold, isPositive), [recipe, isPositive]);
  const line = useMemo(() => frontier(run, threshold, isPositive), [recipe, isPositive]);
  const best = useMemo(
    () => (budget === null ? undefined : bestWithin(run, threshold, isPositive, budget)),
    [recipe, isPositive, budget],
  );
  const alone = useMemo(
    () =>
      run.map((stage) => {
        const { error } = runCascade([stage], threshold, isPositive);
        return { error, cost: stage.cost };
      }),
    [recipe, isPositive],
  );
  const put = (next: readonly CascadeStage[]) => dispatch({ type: "setCascade", cascade: { stages: next } });
  // Of the document as it is now: a field may be left before the change of another one is rendered.
  const change = (s: number, with_: (stage: CascadeStage) => Partial<CascadeStage>) =>
    put(
      (stagesOf(current.value.cascade.stages, members) ?? stages).map((stage, k) =>
        k === s ? { ...stage, ...with_(stage) } : stage,
      ),
    );
  const measured = stages.every(({ cost }) => cost === null);
  const unit = measured ? "µs" : "";
  const key = (s: number) => `cascade ${id} ${recipe} ${s}`;
  const share = (rows: number) => `${((100 * rows) / isPositive.length).toFixed(1)} %`;
  const overall = result.cost;
  const mostCost =
    1.08 *
    maxOf(
      alone.map(({ cost }) => cost),
      Math.max(overall, budget ?? 0, line.at(-1)!.cost),
    );
  const mostError =
    1.15 *
    maxOf(
      alone.map(({ error }) => error),
      Math.max(0.01, result.error, line[0]!.error),
    );
  return (
    <div class="cascade-parts">
      <ol class="stages">
        {stages.map((stage, s) => (
          <li key={s}>
            <fieldset>
              <legend>Stage {s + 1}</legend>
              <label>
                Model
                <select
                  aria-label={`Model of stage ${s + 1}`}
                  value={stage.model}
                  onChange={(event) => change(s, () => ({ model: event.currentTarget.value }))}
                >
                  {members.map(({ model, name }) => (
                    <option key={model.id} value={model.id}>
                      {name}
                    </option>
                  ))}
                </select>
              </label>
              <label for={`cost-${s}`}>
                Cost per row
                <OptionalNumberField
                  id={`cost-${s}`}
                  label={`Cost per row of stage ${s + 1}`}
                  min={0}
                  max={1e9}
                  placeholder={`${short(memberOf(stage.model).time)} µs measured`}
                  value={stage.cost}
                  onChange={(cost) => change(s, () => ({ cost }))}
                />
              </label>
              {s < stages.length - 1 && (
                <div class="sliders">
                  <SliderField
                    label="Other below"
                    value={stage.low}
                    max={1}
                    most={1}
                    step={0.025}
                    text={textOf(memberOf(stage.model), stage.low)}
                    onChange={(low) => change(s, (own) => ({ low, high: Math.max(low, own.high) }))}
                  />
                  <SliderField
                    label={`${names[positive]} from`}
                    value={stage.high}
                    max={1}
                    most={1}
                    step={0.025}
                    text={textOf(memberOf(stage.model), stage.high)}
                    onChange={(high) => change(s, (own) => ({ high, low: Math.min(high, own.low) }))}
                  />
                </div>
              )}
            </fieldset>
          </li>
        ))}
      </ol>
      <div class="stage-buttons">
        {stages.length < 3 && members.length > 2 && (
          <button
            type="button"
            onClick={() => {
              const other = members.find(({ model }) => !stages.some((stage) => stage.model === model.id));
              put([...stages, { model: (other ?? members[0]!).model.id, cost: null, low: 0.2, high: 0.8 }]);
            }}
          >
            Add a stage
          </button>
        )}
        {stages.length > 2 && (
          <button type="button" onClick={() => put(stages.slice(0, -1))}>
            Remove the last stage
          </button>
        )}
        <label for="budget">
          Budget per row{unit && ` in ${unit}`}
          <OptionalNumberField
            id="budget"
            label="Budget per row"
            min={0}
            max={1e9}
            placeholder="none"
            value={budget}
            onChange={(value) => dispatch({ type: "setCascade", cascade: { budget: value } })}
          />
        </label>
        {budget !== null && (
          <button
            type="button"
            disabled={best === undefined}
            onClick={() => change(0, () => ({ low: best!.low, high: best!.high }))}
          >
            Best first stage within the budget
          </button>
        )}
      </div>
      <div class="cascade-result">
        <Chart
          label={`Error over cost per row: the cascade has ${(100 * result.error).toFixed(1)} % errors at ${short(overall)} ${unit}; ${stages.map(({ model }, s) => `${memberOf(model).name} alone ${(100 * alone[s]!.error).toFixed(1)} % at ${short(alone[s]!.cost)}`).join(", ")}.`}
          x={{ label: `Cost per row${unit && `, ${unit}`}`, range: [0, mostCost || 1] }}
          y={{ label: "Share of errors", range: [0, mostError] }}
          table={{
            caption: "What other thresholds of the first stage would give",
            head: ["Other below", "Positive from", "Cost per row", "Errors"],
            rows: line.map(({ low, high, cost, error }) => [
              low.toFixed(3),
              high.toFixed(3),
              short(cost),
              `${(100 * error).toFixed(2)} %`,
            ]),
          }}
        >
          {(sx, sy) => (
            <g>
              <path
                class="line"
                d={linePath(
                  line.map(({ cost }) => cost),
                  line.map(({ error }) => error),
                  sx,
                  sy,
                )}
              />
              {line.map(({ cost, error }) => (
                <circle key={`${cost} ${error}`} class="step" cx={sx(cost)} cy={sy(error)} r={2.2} />
              ))}
              {budget !== null && (
                <>
                  <line class="now" x1={sx(budget)} x2={sx(budget)} y1={sy(0)} y2={sy(mostError)} />
                  <text x={sx(budget) - 4} y={sy(mostError) + 12} text-anchor="end">
                    budget
                  </text>
                </>
              )}
              {alone.map(({ cost, error }, s) => (
                <g key={s}>
                  <rect class="alone" x={sx(cost) - 4} y={sy(error) - 4} width={8} height={8} />
                  <text
                    x={sx(cost) + (cost > 0.6 * mostCost ? -7 : 7)}
                    y={sy(error) - 6}
                    text-anchor={cost > 0.6 * mostCost ? "end" : "start"}
                  >
                    {memberOf(stages[s]!.model).name.slice(0, 24)}
                  </text>
                </g>
              ))}
              <circle class="dot" cx={sx(overall)} cy={sy(result.error)} r={6} />
            </g>
          )}
        </Chart>
        <div>
          <p role="status" class="summary">
            <strong>{(100 * result.error).toFixed(1)} % errors</strong> at{" "}
            <strong>
              {short(overall)} {unit}
            </strong>{" "}
            per row
            {budget !== null && (overall <= budget ? ", within the budget" : ", above the budget")}.
          </p>
          <table>
            <thead>
              <tr>
                <th scope="col">Answered by</th>
                <th scope="col">Rows</th>
                <th scope="col">Wrong</th>
                <th scope="col">Cost</th>
              </tr>
            </thead>
            <tbody>
              {result.stages.map(({ rows, wrong }, s) => (
                <tr key={s}>
                  <th scope="row">{memberOf(stages[s]!.model).name}</th>
                  <td>
                    <button
                      type="button"
                      aria-pressed={isChosen(key(s))}
                      aria-label={`Select the ${rows} rows that stage ${s + 1} answers`}
                      onClick={() =>
                        chooseRows(
                          key(s),
                          rowsWhere(held, (e) => result.stageOf[e] === s),
                        )
                      }
                    >
                      {rows}
                    </button>{" "}
                    {share(rows)}
                  </td>
                  <td>{wrong}</td>
                  <td>
                    {short(run[s]!.cost)} {unit}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <p class="note">
            ○ is the cascade, □ a stage alone, the line what other thresholds of the first stage give.
            {budget !== null &&
              (best === undefined
                ? " No thresholds keep to the budget: it is below the cost of the first stage."
                : ` Best within the budget: ${(100 * best.error).toFixed(1)} % errors on the rows that chose it, ${(100 * best.honest.error).toFixed(1)} % at ${short(best.honest.cost)} where it was chosen on other rows.`)}
            {!measured && stages.some(({ cost }) => cost === null) && (
              <> Costs left empty are measured microseconds: give all in one unit.</>
            )}
          </p>
        </div>
      </div>
    </div>
  );
}

const textOf = ({ scale }: Member, position: number): string | undefined =>
  scale === "score" ? `margin ${positionText(scale, position)}` : undefined;
