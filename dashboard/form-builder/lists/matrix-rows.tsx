import type { JsonValue } from '../../../fields/property.ts';
import { Select } from '../../ui/input.tsx';

/** A column by row; rows without an answer are missing. */
type MatrixAnswer = { [row: string]: JsonValue | undefined };

interface MatrixRowsProps {
  rows: readonly string[];
  columns: readonly string[];
  value: MatrixAnswer;
  /** Label of the option for no column. */
  none: string;
  isOff: boolean | undefined;
  onChange(value: MatrixAnswer): void;
}

/** Chooses a column for each row of a matrix. What is chosen stays in the lists, so that it can be taken back if the matrix lost it. */
export function MatrixRows({ rows, columns, value, none, isOff, onChange }: MatrixRowsProps) {
  return [...new Set([...rows, ...Object.keys(value)])].map((row) => (
    <div key={row} className="grid grid-cols-2 items-center gap-2">
      <bdi className="truncate" title={row}>
        {row}
      </bdi>
      <Select
        aria-label={row}
        className="w-full"
        disabled={isOff}
        value={String(value[row] ?? '')}
        onChange={({ target }) => {
          const { [row]: _, ...others } = value;
          onChange(target.value === '' ? others : { ...others, [row]: target.value });
        }}
      >
        <option value="">{none}</option>
        {[...new Set([...columns, String(value[row] ?? '')])].filter(Boolean).map((column) => (
          <option key={column} value={column}>
            {column}
          </option>
        ))}
      </Select>
    </div>
  ));
}
