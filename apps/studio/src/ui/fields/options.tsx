export interface OptionsProps {
  readonly of: readonly (string | readonly [value: string | number, text: string])[];
}

/** The options of a select: texts, or values with their texts. */
export const Options = ({ of }: OptionsProps) => (
  <>
    {of.map((one) => {
      const [value, text] = typeof one === "string" ? [one, one] : one;
      return (
        <option key={value} value={value}>
          {text}
        </option>
      );
    })}
  </>
);
