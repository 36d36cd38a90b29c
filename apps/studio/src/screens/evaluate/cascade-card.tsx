import { chooseRows, isChosen } from "../../state/choose-rows.js";
import type { CascadeStage } from "../../state/document.js";
import { document as current, dispatch } from "../../state/session.js";
import { OptionalNumberField } from "../../ui/fields/optional-number-field.js";
import { Select } from "../../ui/fields/select.js";
import { short } from "../../ui/figures.js";
import { TableHead } from "../../ui/table-parts.js";
import { positionText, type Ranking } from "../../work/measures/ranking.js";
import { CostChart } from "./cascade-chart.js";
import type { BuilderProps, CascadeView, Member } from "./cascade-view.js";
import { changeStage, membersOf, put, stagesOf, useCascade } from "./cascade-view.js";
import { SliderField } from "./decision-bar.js";
import { type Judged, rowsWhere } from "./judged.js";

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

function Builder(props: BuilderProps) {
  const view = useCascade(props);
  return (
    <div class="cascade-parts">
      <ol class="stages">
        {view.stages.map((_, s) => (
          <li key={s}>
            <StageFields view={view} s={s} />
          </li>
        ))}
      </ol>
      <StageButtons view={view} />
      <div class="cascade-result">
        <CostChart view={view} />
        <div>
          <Summary view={view} />
          <AnswerTable view={view} />
          <Explanation view={view} />
        </div>
      </div>
    </div>
  );
}

function StageFields({ view, s }: { readonly view: CascadeView; readonly s: number }) {
  const { members, stages, memberOf } = view;
  const stage = stages[s]!;
  const change = (with_: (stage: CascadeStage) => Partial<CascadeStage>) => changeStage(view, s, with_);
  return (
    <fieldset>
      <legend>Stage {s + 1}</legend>
      <label>
        Model
        <Select
          of={members.map(({ model, name }) => [model.id, name])}
          label={`Model of stage ${s + 1}`}
          value={stage.model}
          onChange={(value) => change(() => ({ model: value }))}
        />
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
          onChange={(cost) => change(() => ({ cost }))}
        />
      </label>
      {s < stages.length - 1 && <StageSliders view={view} s={s} />}
    </fieldset>
  );
}

/** Which rows a stage answers itself. */
function StageSliders({ view, s }: { readonly view: CascadeView; readonly s: number }) {
  const { names, positive } = view.judged;
  const stage = view.stages[s]!;
  const member = view.memberOf(stage.model);
  return (
    <div class="sliders">
      <SliderField
        label="Other below"
        value={stage.low}
        max={1}
        most={1}
        step={0.025}
        text={textOf(member, stage.low)}
        onChange={(low) => changeStage(view, s, (own) => ({ low, high: Math.max(low, own.high) }))}
      />
      <SliderField
        label={`${names[positive]} from`}
        value={stage.high}
        max={1}
        most={1}
        step={0.025}
        text={textOf(member, stage.high)}
        onChange={(high) => changeStage(view, s, (own) => ({ high, low: Math.min(high, own.low) }))}
      />
    </div>
  );
}

function StageButtons({ view }: { readonly view: CascadeView }) {
  const { members, stages, budget, best, unit } = view;
  return (
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
          onClick={() => changeStage(view, 0, () => ({ low: best!.low, high: best!.high }))}
        >
          Best first stage within the budget
        </button>
      )}
    </div>
  );
}

function Summary({ view: { result, budget, unit } }: { readonly view: CascadeView }) {
  return (
    <p role="status" class="summary">
      <strong>{(100 * result.error).toFixed(1)} % errors</strong> at{" "}
      <strong>
        {short(result.cost)} {unit}
      </strong>{" "}
      per row
      {budget !== null && (result.cost <= budget ? ", within the budget" : ", above the budget")}.
    </p>
  );
}

/** How many rows each stage answers. */
function AnswerTable({ view }: { readonly view: CascadeView }) {
  const { judged, stages, memberOf, run, recipe, result, unit } = view;
  const { id, held, ranking } = judged;
  const key = (s: number) => `cascade ${id} ${recipe} ${s}`;
  const share = (rows: number) => `${((100 * rows) / ranking.isPositive.length).toFixed(1)} %`;
  return (
    <table>
      <TableHead titles={["Answered by", "Rows", "Wrong", "Cost"]} />
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
  );
}

function Explanation({ view: { stages, budget, best, measured } }: { readonly view: CascadeView }) {
  return (
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
  );
}

const textOf = ({ scale }: Member, position: number): string | undefined =>
  scale === "score" ? `margin ${positionText(scale, position)}` : undefined;
