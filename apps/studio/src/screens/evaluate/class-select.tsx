import { dispatch } from "../../state/session.js";
import { Select } from "../../ui/fields/select.js";

interface ClassSelectProps {
  readonly label: string;
  readonly classes: readonly string[];
  readonly positive: number;
}

/** The class of interest, which curves and thresholds are of. */
export const ClassSelect = ({ label, classes, positive }: ClassSelectProps) => (
  <label>
    {label}
    <Select
      of={classes.map((name, c) => [c, name])}
      value={positive}
      onChange={(value) => dispatch({ type: "setDecision", decision: { positive: Number(value) } })}
    />
  </label>
);
