import { isChosen } from "../../state/choose-rows.js";

interface RowsButtonProps {
  /** The key under which its rows are chosen. */
  readonly of: string;
  readonly rows: number;
  readonly label?: string;
  readonly onPress: () => void;
}

/** A number of rows that can be chosen. */
export const RowsButton = ({ of, rows, label, onPress }: RowsButtonProps) => (
  <button
    type="button"
    aria-label={label}
    disabled={rows === 0}
    aria-pressed={isChosen(of)}
    onClick={onPress}
  >
    {rows}
  </button>
);
