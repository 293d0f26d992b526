import { canonicalTypeName } from '../../../fields/type-names.ts';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/input.tsx';
import type { Column } from '../table/columns.ts';
import { type ExportFormat, FORMATS } from './export-formats.ts';

interface ExportLinesProps {
  columns: readonly Column[];
  /** Id of the repeated questions whose entries are the rows; null if responses are. */
  entriesOf: string | null;
  onChange(entriesOf: string | null): void;
}

/** Chooses what the rows of the file are; nothing if there is no choice. */
export function ExportLines({ columns, entriesOf, onChange }: ExportLinesProps) {
  const repeated = columns.filter(hasEntries);
  if (repeated.length === 0) return null;
  return (
    <Field
      name="lines"
      label="One line for"
      hint={
        entriesOf === null
          ? 'All entries of a response stand in one cell.'
          : 'Its questions are columns. A response without entries has no line; what else it says is on each line.'
      }
    >
      <Select
        className="w-full"
        value={entriesOf ?? ''}
        onChange={({ target }) => onChange(target.value || null)}
      >
        <option value="">Each response</option>
        {repeated.map(({ key, name, label }) => (
          <option key={key} value={name}>
            Each entry of {label}
          </option>
        ))}
      </Select>
    </Field>
  );
}

/** The chosen repeated questions, if their column is included and the format has rows. */
export function entriesIn(
  columns: readonly Column[],
  format: ExportFormat,
  chosen: string | null,
): string | null {
  const isIn = columns.some((column) => column.name === chosen && hasEntries(column));
  return isIn && FORMATS[format].hasLines ? chosen : null;
}

function hasEntries({ property }: Column): boolean {
  return property !== null && canonicalTypeName(property.type) === 'repeat';
}
