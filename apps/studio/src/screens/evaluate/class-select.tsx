import { dispatch } from "../../state/session.js";
import { Options } from "../../ui/fields/options.js";

interface ClassSelectProps {
  readonly label: string;
  readonly classes: readonly string[];
  readonly positive: number;
}

/** The class of interest, which curves and thresholds are of. */
export const ClassSelect = ({ label, classes, positive }: ClassSelectProps) => (
  <label>
    {label}
    <select
      value={positive}
      onChange={(event) =>
        dispatch({ type: "setDecision", decision: { positive: Number(event.currentTarget.value) } })
      }
    >
      <Options of={classes.map((name, c) => [c, name])} />
    </select>
  </label>
);
