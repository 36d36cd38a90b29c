import { starters } from "../../generated/estimators.js";
import { namedColumns } from "../../state/named-columns.js";
import type { EventBlock, HiddenLayer, ParamValue, Part, Stage } from "../../state/param-value.js";
import {
  activationNames,
  eventModels,
  hiddenLayers,
  isEventBlock,
  isHiddenLayer,
  isListOf,
  isPart,
  isStage,
} from "../../state/param-value.js";
import { table, task } from "../../state/session.js";
import type { ParamInfo } from "../../work/protocol.js";
import { ColumnChoice } from "./column-choice.js";
import { ListField } from "./list-field.js";
import { NumberField } from "./number-field.js";
import { OptionalNumberField } from "./optional-number-field.js";
import { PartSelect } from "./part-select.js";
import { Select } from "./select.js";

interface CompositeFieldProps {
  readonly param: ParamInfo;
  /** The model. */
  readonly owner: string;
  readonly value: ParamValue | undefined;
  /** Undefined for the default. */
  readonly onChange: (value: ParamValue | undefined) => void;
}

/** The members of a vote or a stack. */
export function PartsField({ param, owner, value, onChange }: CompositeFieldProps) {
  const parts = isListOf(value, isPart) ? value : [];
  return (
    <ListField
      label={param.name}
      noun="member"
      note="What it is made of. A model of the bench is copied with its parameters and trained again inside."
      entries={parts}
      next={(): Part => ({ estimator: simplest() })}
      onChange={onChange}
    >
      {(part, at, change) => (
        <PartSelect
          label={`Member ${at + 1}`}
          owner={owner}
          value={part}
          onChange={(changed) => change(changed ?? part)}
        />
      )}
    </ListField>
  );
}

/** What a new member is before another one is chosen. */
const simplest = (): string => starters[task.value][0].estimator;

/** A column is acquired once: it moves to the stage or block where it is ticked. */
function withColumns<T extends { readonly columns: readonly string[] }>(
  entries: readonly T[],
  at: number,
  columns: readonly string[],
): readonly T[] {
  const taken = new Set(columns);
  return entries.map((entry, k) => ({
    ...entry,
    columns: k === at ? columns : entry.columns.filter((name) => !taken.has(name)),
  }));
}

/** The stages of a cascade: what each costs, and what it sees. */
export function StagesField({ param, owner, value, onChange }: CompositeFieldProps) {
  const stages = isListOf(value, isStage) ? value : [];
  return (
    <ListField
      label={param.name}
      noun="stage"
      note="Rows that a stage finds negative leave; the others go on. A stage also sees the columns of those before it, unless cumulative is off."
      entries={stages}
      next={(): Stage => ({ part: { estimator: simplest() }, columns: [], cost: 1, sensitivity: null })}
      onChange={onChange}
    >
      {(stage, at, change) => (
        <div class="stage">
          <PartSelect
            label={`Classifier of stage ${at + 1}`}
            owner={owner}
            value={stage.part}
            onChange={(part) => change({ ...stage, part: part ?? stage.part })}
          />
          <ColumnChoice
            label={`Columns of stage ${at + 1}`}
            labelClass="columns-of"
            columns={stage.columns}
            onChange={(columns) => onChange(withColumns(stages, at, columns))}
          />
          <label class="setting" for={`cost-${at}`}>
            Cost
            <NumberField
              id={`cost-${at}`}
              label={`Cost of stage ${at + 1}`}
              value={stage.cost}
              min={0}
              max={1e9}
              step={0.1}
              onChange={(cost) => change({ ...stage, cost })}
            />
          </label>
          <label class="setting" for={`sensitivity-${at}`}>
            Sensitivity
            <OptionalNumberField
              id={`sensitivity-${at}`}
              label={`Sensitivity of stage ${at + 1}`}
              value={stage.sensitivity}
              min={0.001}
              max={1}
              placeholder="shared"
              onChange={(sensitivity) => change({ ...stage, sensitivity })}
            />
          </label>
        </div>
      )}
    </ListField>
  );
}

/** Groups of columns with an event model each. */
export function BlocksField({ param, value, onChange }: CompositeFieldProps) {
  const blocks = isListOf(value, isEventBlock) ? value : [];
  if (blocks.length === 0)
    return (
      <fieldset class="field list-field">
        <legend class="param-name">{param.name}</legend>
        <p class="note">Groups of columns that have another event model than the rest. There is none yet.</p>
        <button type="button" onClick={() => onChange([firstBlock()])}>
          Add a block
        </button>
      </fieldset>
    );
  return (
    <ListField
      label={param.name}
      noun="block"
      note="Groups of columns that have another event model than the rest."
      entries={blocks}
      onReset={() => onChange(undefined)}
      next={(): EventBlock => ({ event: "categorical", columns: [] })}
      onChange={onChange}
    >
      {(block, at, change) => (
        <div class="stage">
          <Names
            label={`Event model of block ${at + 1}`}
            names={eventModels}
            value={block.event}
            onChange={(event) => change({ ...block, event })}
          />
          <ColumnChoice
            label={`Columns of block ${at + 1}`}
            labelClass="columns-of"
            columns={block.columns}
            onChange={(columns) => onChange(withColumns(blocks, at, columns))}
          />
        </div>
      )}
    </ListField>
  );
}

/** A column of categories, if there is one: measurements are not categories. */
function firstBlock(): EventBlock {
  const names = namedColumns.value;
  const kinds = new Map((table.value?.data.columns ?? []).map(({ name, kind }) => [name, kind]));
  const category = names.find((name) => kinds.get(name) === "category");
  return category === undefined
    ? { event: "gaussian", columns: names.slice(0, 1) }
    : { event: "categorical", columns: [category] };
}

/** The layers before the outputs. */
export function LayersField({ param, value, onChange }: CompositeFieldProps) {
  const layers: readonly HiddenLayer[] = isListOf(value, isHiddenLayer) ? value : [standardLayer];
  return (
    <ListField
      label={param.name}
      noun="layer"
      note="From the inputs on. The outputs follow by themselves: one per class, or one value."
      entries={layers}
      onReset={value === undefined ? undefined : () => onChange(undefined)}
      next={(): HiddenLayer => ({ layer: "dense", units: 16, activation: "relu" })}
      onChange={onChange}
    >
      {(layer, at, change) => (
        <div class="layer">
          <Names
            label={`Kind of layer ${at + 1}`}
            names={hiddenLayers}
            value={layer.layer}
            onChange={(kind) => change(layerOf(kind))}
          />
          {layer.layer === "dense" && (
            <>
              <NumberField
                label={`Units of layer ${at + 1}`}
                value={layer.units}
                min={1}
                max={4096}
                step={1}
                onChange={(units) => change({ ...layer, units })}
              />
              <Names
                label={`Activation of layer ${at + 1}`}
                names={activationNames}
                value={layer.activation}
                onChange={(activation) => change({ ...layer, activation })}
              />
            </>
          )}
          {layer.layer === "dropout" && (
            <NumberField
              label={`Rate of layer ${at + 1}`}
              value={layer.rate}
              min={0}
              max={0.95}
              step={0.05}
              onChange={(rate) => change({ ...layer, rate })}
            />
          )}
        </div>
      )}
    </ListField>
  );
}

/** What the library makes without layers. */
const standardLayer: HiddenLayer = { layer: "dense", units: 100, activation: "relu" };

const layerOf = (layer: HiddenLayer["layer"]): HiddenLayer =>
  layer === "dense"
    ? { layer, units: 16, activation: "relu" }
    : layer === "dropout"
      ? { layer, rate: 0.2 }
      : { layer };

interface NamesProps<T extends string> {
  readonly label: string;
  readonly names: readonly T[];
  readonly value: T;
  readonly onChange: (value: T) => void;
}

function Names<T extends string>({ label, names, value, onChange }: NamesProps<T>) {
  return (
    <Select
      of={names}
      label={label}
      value={value}
      onChange={(chosen) => onChange(names.find((name) => name === chosen) ?? value)}
    />
  );
}
