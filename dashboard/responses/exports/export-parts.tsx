import { questionsOf } from '../../../fields/repeated-questions.ts';
import { canonicalTypeName } from '../../../fields/type-names.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import type { Column } from '../table/columns.ts';

const SPLIT_TYPES = new Set(['multi_select', 'ranking', 'matrix']);

interface ExportPartsProps {
  columns: readonly Column[];
  isSplit: boolean;
  onChange(isSplit: boolean): void;
}

/** Chooses whether each option has a column; nothing if no question has several. */
export function ExportParts({ columns, isSplit, onChange }: ExportPartsProps) {
  if (!columns.some(hasParts)) return null;
  return (
    <Checkbox
      label="A column for each option"
      hint="Of questions with several answers and rankings, and for each row of a matrix. Chosen options are 1, others 0."
      checked={isSplit}
      onChange={({ target }) => onChange(target.checked)}
    />
  );
}

/** Questions in entries count too: each entry may have a line. */
function hasParts({ property }: Column): boolean {
  if (property === null) return false;
  return [property, ...questionsOf(property)].some(({ type }) => SPLIT_TYPES.has(canonicalTypeName(type)));
}
